"""Who the guard of a stage lets in, by the headers of their requests."""

import socket

import pytest

from pliant.view.guard import HEADER_LINES, Guard


def judge(guard, host="127.0.0.1:8080", *, origin=None, path=None, port=8080):
    return guard.refusal(
        f"/{guard.token}/" if path is None else path,
        hosts=[] if host is None else [host],
        origins=[] if origin is None else [origin],
        port=port,
    )


OURS = [
    "127.0.0.1:8080",
    "localhost:8080",
    "LocalHost:8080",
    "[::1]:8080",
    "[0:0:0:0:0:0:0:1]:8080",
]
THEIRS = [
    None, "", "evil.example", "evil.example:8080", "127.0.0.1", "127.0.0.1:8081", "localhost.:8080",
    "127.0.0.1.evil.example:8080", "localhost@evil.example:8080", "localhost:8080@evil.example",
    "192.168.1.5:8080", "127.0.0.1:99999", "127.0.0.1:8080 ", "::1:8080", "[::1:8080",
    "local\nhost:8080",
    "１２７.0.0.1:8080", "[evil]:8080", "127.0.0.1:", ":8080",
]  # fmt: skip


@pytest.mark.parametrize("host", OURS)
def test_its_own_names_are_answered(host):
    assert judge(Guard("127.0.0.1"), host) is None
    assert judge(Guard("127.0.0.1"), host, origin=f"http://{host}") is None


@pytest.mark.parametrize("asked", ["127.0.0.1", "localhost", "::1"])
@pytest.mark.parametrize("host", THEIRS)
def test_other_names_are_not(host, asked):
    assert "name" in judge(Guard(asked), host)


def test_two_names_are_not():
    guard = Guard("127.0.0.1")
    both = ["127.0.0.1:8080", "127.0.0.1:8080"]
    assert guard.refusal(f"/{guard.token}/", hosts=both, origins=[], port=8080)


def test_port_80_needs_no_saying():
    assert judge(Guard("127.0.0.1"), "127.0.0.1", port=80) is None


def test_the_address_that_was_asked_for_is_answered():
    guard = Guard("192.168.1.5")
    assert judge(guard, "192.168.1.5:8080") is None
    assert judge(guard, "192.168.1.6:8080") is not None
    assert judge(guard, f"{socket.gethostname()}.evil.example:8080") is not None
    assert judge(Guard("Studio.local"), "studio.local:8080") is None


@pytest.mark.parametrize("everywhere", ["0.0.0.0", "::", ""])
def test_on_all_addresses_any_address_is_answered_and_no_name_but_its_own(everywhere):
    guard = Guard(everywhere)
    for host in ("192.168.1.5", "10.0.0.7", "[fe80::1]", "127.0.0.1", socket.gethostname()):
        assert judge(guard, f"{host}:8080") is None
    for host in ("evil.example", "1.2.3", "0x7f.1", "192.168.1.5.evil.example", "[192.168.1.5.x]"):
        assert judge(guard, f"{host}:8080") is not None


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example", "https://127.0.0.1:8080", "http://127.0.0.1:8081", "http://127.0.0.1",
        "null", "", "file://", "http://localhost:8080", "http://127.0.0.1:8080/", "127.0.0.1:8080",
    ],
)  # fmt: skip
def test_another_page_may_not_enter_even_with_the_token(origin):
    assert "page" in judge(Guard("127.0.0.1"), origin=origin)


def test_a_token_is_needed_whole():
    guard = Guard("127.0.0.1")
    wrong = [
        "/", "", "//", f"/{guard.token[:-1]}/", f"/{guard.token}x/", f"/x/{guard.token}/", "/é/",
        f"/?{guard.token}", f"//{guard.token}/", guard.token, f"/{Guard('127.0.0.1').token}/",
        f"http://127.0.0.1:8080/{guard.token}/", "/\udcff/",
    ]  # fmt: skip
    for path in wrong:
        assert "token" in judge(guard, path=path), path
    for path in (f"/{guard.token}", f"/{guard.token}/", f"/{guard.token}/?websocket=x"):
        assert judge(guard, path=path) is None
    assert len(guard.token) >= 22  # 128 bits


def test_viser_sees_the_path_without_the_token():
    guard = Guard("127.0.0.1")
    token = guard.token
    seen = {
        f"/{token}": "/",
        f"/{token}/": "/",
        f"/{token}/?a=b": "/?a=b",
        f"/{token}/x.js": "/x.js",
    }
    assert {given: guard.without_token(given) for given in seen} == seen


def test_refusals_are_logged_once_and_not_without_end(caplog):
    guard = Guard("127.0.0.1")
    for number in range(5 * HEADER_LINES):
        for _ in range(3):
            guard.report(judge(guard, f"{number}.evil.example\n:8080"))
    lines = [record.getMessage() for record in caplog.records]
    assert len(lines) == HEADER_LINES == len(set(lines))
    assert "0.evil.example" in lines[0] and not any("\n" in line for line in lines)
