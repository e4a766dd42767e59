"""Random scenes on which rest times are measured: nothing can be tuned to them.

`meshes` draws shapes, `starts` what they are released from, `scenes` puts a scene together, `limits`
says which scenes the README excludes, `measuring` compares asked with measured, and `report` prints.

    python -m tests.verification.rest_suite --seed 1 --count 300 --jobs 2
    python -m tests.verification.rest_suite --only 1:17          # scene 17 of seed 1, in detail
"""
