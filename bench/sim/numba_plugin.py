"""What the conftest of numba-cuda's repository gives its tests and the wheel
leaves out: the fixture that every CUDA test asks for."""
import pytest


@pytest.fixture(scope="class", autouse=True)
def initialize_from_pytest_config(request):
    if request.cls is not None:
        request.cls._dump_failed_filechecks = False
