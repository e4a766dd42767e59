"""A window of VTK that nobody sees, and what films put into it.

VTK is used as it is: pyvista around it takes another 100 MB of memory. On Linux without a display this
draws through EGL (Debian and Ubuntu: `apt install libegl1 libgl1`); a GPU is not needed.
"""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from pliant.errors import optional

from .camera import Camera

VTK_FONT_FILE = 4  # in place of a family of fonts


class Shape:
    """Triangles or lines that a window draws, whose points may move."""

    def __init__(self, points: np.ndarray, cells: np.ndarray):
        from vtkmodules.vtkCommonCore import vtkPoints
        from vtkmodules.vtkCommonDataModel import vtkPolyData

        self.data, self._points = vtkPolyData(), vtkPoints()
        self.data.SetPoints(self._points)
        self.connect(cells)
        self.move(points)

    def connect(self, cells: np.ndarray) -> None:
        """Set the triangles or lines between the points, (n, 3) or (n, 2)."""
        from vtkmodules.vtkCommonDataModel import vtkCellArray

        found, self._cells = vtkCellArray(), _array(cells.astype(np.int32).ravel())
        found.SetData(cells.shape[1], self._cells)
        (self.data.SetPolys if cells.shape[1] == 3 else self.data.SetLines)(found)

    def move(self, points: np.ndarray, normals: np.ndarray | None = None) -> None:
        """Set the points [m], (n, 3), and the normals there."""
        self._points.SetData(_array(points.astype(np.float32)))
        if normals is not None:
            self.data.GetPointData().SetNormals(_array(normals.astype(np.float32)))
        self.data.Modified()

    def colour(self, bytes_: np.ndarray) -> None:
        """Set the colour of each point, (n, 3) or with opacity (n, 4)."""
        self.data.GetPointData().SetScalars(_array(bytes_))


class Window:
    """A picture of `size` pixels, (width, height), on a background that fades upwards."""

    def __init__(self, size: tuple[int, int], below: np.ndarray, above: np.ndarray):
        import vtkmodules.vtkRenderingOpenGL2  # noqa: F401  (draws on the graphics library)
        from vtkmodules import vtkRenderingCore as core

        self._core, self._size = core, size
        self._window, self._renderer = core.vtkRenderWindow(), core.vtkRenderer()
        self._window.SetOffScreenRendering(True)
        self._window.SetMultiSamples(0)
        self._window.SetSize(*size)
        self._window.AddRenderer(self._renderer)
        self._renderer.SetAutomaticLightCreation(False)
        self._renderer.GradientBackgroundOn()
        self._renderer.SetBackground(*below)
        self._renderer.SetBackground2(*above)
        # Edges are smoothed in the finished picture. To draw more pixels (vtkSSAAPass) looks the same
        # and takes 2.3 times as long without a GPU; multisampling smooths no lines there.
        self._renderer.SetUseFXAA(True)
        smoothing = self._renderer.GetFXAAOptions()
        smoothing.SetRelativeContrastThreshold(0.06)  # thin, pale lines, too
        smoothing.SetHardContrastThreshold(0.02)
        smoothing.SetSubpixelBlendLimit(0.9)
        smoothing.SetEndpointSearchIterations(20)  # edges that are nearly level have long steps

    def aim(self, eye: Camera, focus: np.ndarray, away: float, **how: float) -> None:
        """Look at a place from a distance [m]; how: `angle` [degrees] or, from afar, `height` [m]."""
        camera = self._renderer.GetActiveCamera()
        camera.SetFocalPoint(*focus)
        camera.SetPosition(*(focus + away * eye.toward))
        camera.SetViewUp(*eye.up)
        if "height" in how:
            camera.SetParallelProjection(True)
            camera.SetParallelScale(how["height"])
        else:
            camera.SetViewAngle(how["angle"])

    def light(self, strength: float, at: np.ndarray | None = None, to: Any = (0, 0, 0)) -> None:
        """Add a light at a place that shines to another; without a place it is beside the eye."""
        light = self._core.vtkLight()
        light.SetIntensity(strength)
        if at is None:
            light.SetLightTypeToHeadlight()
        else:
            light.SetPosition(*at)
            light.SetFocalPoint(*to)
        self._renderer.AddLight(light)

    def add(self, shape: Shape, colour: np.ndarray | None = None, **how: float) -> Any:
        """Draw a shape in one colour, or in those of its points; returns VTK's property of it.

        how: width [pixels] and opacity of lines; nearer: below 0, so that those on a face are whole.
        It is not lit.
        """
        mapper, actor = self._core.vtkPolyDataMapper(), self._core.vtkActor()
        mapper.SetInputData(shape.data)
        mapper.SetRelativeCoincidentTopologyLineOffsetParameters(0.0, how.get("nearer", 0.0))
        mapper.SetScalarVisibility(colour is None)
        actor.SetMapper(mapper)
        actor.GetProperty().SetLighting(False)
        actor.GetProperty().SetLineWidth(how.get("width", 1.0))
        actor.GetProperty().SetOpacity(how.get("opacity", 1.0))
        if colour is not None:
            actor.GetProperty().SetColor(*colour)
        self._renderer.AddActor(actor)
        return actor.GetProperty()

    def write(self, place: tuple[float, float], size: int, colour: np.ndarray) -> Any:
        """Add text at a place [pixels]; returns VTK's actor of it."""
        import vtkmodules.vtkRenderingFreeType  # noqa: F401  (draws letters)

        text = self._core.vtkTextActor()
        text.SetPosition(*place)
        style = text.GetTextProperty()
        fonts = find_spec("matplotlib")  # only its files are used
        if fonts is not None and fonts.submodule_search_locations:
            style.SetFontFamily(VTK_FONT_FILE)
            folder = Path(fonts.submodule_search_locations[0]) / "mpl-data" / "fonts" / "ttf"
            style.SetFontFile(str(folder / "DejaVuSans.ttf"))
        style.SetFontSize(size)
        style.SetColor(*colour)
        self._renderer.AddActor(text)
        return text

    def picture(self) -> np.ndarray:
        """What is seen now, (height, width, 3) bytes."""
        from vtkmodules.util.numpy_support import vtk_to_numpy
        from vtkmodules.vtkCommonCore import vtkUnsignedCharArray

        width, height = self._size
        found = vtkUnsignedCharArray()
        self._renderer.ResetCameraClippingRange()
        self._window.Render()
        self._window.GetPixelData(0, 0, width - 1, height - 1, 0, found, 0)
        return np.array(vtk_to_numpy(found).reshape(height, width, 3)[::-1])

    def close(self) -> None:
        """Free what it holds of the graphics library."""
        self._window.Finalize()


def require_vtk() -> None:
    """Refuse films where VTK is not installed; make it draw without a screen."""
    if sys.platform == "linux" and not os.environ.get("DISPLAY"):
        # Else VTK tries an X server first, and complains.
        os.environ.setdefault("VTK_DEFAULT_OPENGL_WINDOW", "vtkEGLRenderWindow")
    optional("vtkmodules", "films", "view", "vtk")


def _array(values: np.ndarray) -> Any:
    """Numbers as an array of VTK, which keeps them alive."""
    from vtkmodules.util.numpy_support import numpy_to_vtk

    return numpy_to_vtk(np.ascontiguousarray(values))
