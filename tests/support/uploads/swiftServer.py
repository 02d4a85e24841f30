"""Runs all of OpenStack Swift in one process: three storage servers behind a proxy that speaks S3. Each picks its own port.

Argument: an empty folder. Prints the proxy's port once everything listens.
"""

import os
import sys
import types

import swift.common.utils as utils

folder = sys.argv[1]
# Swift looks for this one file in /etc by default.
utils.SWIFT_CONF_FILE = os.path.join(folder, "swift.conf")
with open(utils.SWIFT_CONF_FILE, "w") as conf:
    conf.write("[swift-hash]\nswift_hash_path_prefix = a\nswift_hash_path_suffix = b\n")
utils.eventlet_monkey_patch()

import eventlet
import eventlet.wsgi
from swift.common.ring import RingBuilder
from swift.common.wsgi import loadapp

DEFAULTS = f"""[DEFAULT]
swift_dir = {folder}
devices = {folder}/devices
mount_check = false
log_address = /nonexistent
"""
STORAGE = """[pipeline:main]
pipeline = server
[app:server]
use = egg:swift#{service}
"""
PROXY = """[pipeline:main]
pipeline = catch_errors cache s3api tempauth proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
[filter:s3api]
use = egg:swift#s3api
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
user_test_second = second .admin
"""


def listen():
    return eventlet.listen(("127.0.0.1", 0), backlog=128)


def serve(service, pipeline, socket):
    path = os.path.join(folder, f"{service}.conf")
    with open(path, "w") as conf:
        conf.write(DEFAULTS + pipeline)
    silent = types.SimpleNamespace(write=lambda _: None, info=lambda *_: None, debug=lambda *_: None)
    eventlet.spawn(eventlet.wsgi.server, socket, loadapp(path), log=silent)


def make_ring(service, port):
    builder = RingBuilder(4, 1, 0)
    builder.add_dev({"region": 1, "zone": 1, "ip": "127.0.0.1", "port": port, "device": "d1", "weight": 1})
    builder.rebalance()
    builder.get_ring().save(os.path.join(folder, f"{service}.ring.gz"))


os.makedirs(os.path.join(folder, "devices", "d1"))
sockets = {service: listen() for service in ("account", "container", "object")}
for service, socket in sockets.items():
    make_ring(service, socket.getsockname()[1])
for service, socket in sockets.items():
    serve(service, STORAGE.format(service=service), socket)
front = listen()
serve("proxy", PROXY, front)
print(front.getsockname()[1], flush=True)
# Runs until the parent process ends, which closes stdin: then its end can be read.
eventlet.hubs.trampoline(sys.stdin.fileno(), read=True)
