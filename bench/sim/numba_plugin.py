"""What the conftest of numba-cuda's repository gives its tests and the wheel
leaves out: the fixture that every CUDA test asks for."""
import warnings

import pytest


@pytest.fixture(scope="class", autouse=True)
def initialize_from_pytest_config(request):
    if request.cls is not None:
        request.cls._dump_failed_filechecks = False


def pytest_sessionstart():
    """cuda.core says once that it links by the driver, without nvJitLink: not
    in the middle of a test that counts warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import cuda.core._linker as linker

        linker._decide_nvjitlink_or_driver()
