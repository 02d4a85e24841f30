import { spawn } from 'node:child_process'
import { createServer, type Server } from 'node:net'

/** With the one that is there. More take no more, and who has a connection already waits longer. */
const LISTENERS = 32
/** Far longer than it takes. */
const ECHO_TAKES_AT_MOST_MS = 10_000
/** A program that sends back each handle it is sent, and ends when we disconnect. */
const ECHO = "process.on('message', (nth, handle) => process.send(nth, handle)).on('disconnect', () => process.exit())"

/**
 * Since libuv 1.45 a listener takes one new connection in each turn of the event loop. Under load a turn is long, and a rush of new
 * clients waited until they gave up. These further listeners wait at the same socket, each with a descriptor of its own, and take one
 * more each turn (decision 0044, also on why not Node's `reusePort`). Their connections go to `server`. `backlog` is said again, for
 * whoever listens last sets it for the socket.
 * @throws Error when the process that gives the descriptors does not start.
 */
export async function moreListeners(server: Server, backlog: number): Promise<Server[]> {
  const handles = await duplicates(server, LISTENERS - 1)
  const listeners = handles.map((handle) =>
    createServer((socket) => void server.emit('connection', socket)).listen(handle, backlog),
  )
  for (const listener of listeners) listener.on('error', (error) => void server.emit('error', error))
  return listeners
}

/**
 * Node cannot duplicate a descriptor, but one that went to another process and back is a duplicate. It is sent as a bare handle: if
 * it were sent as a server, the other process would listen too, and take connections that nobody answers.
 */
async function duplicates(server: Server, count: number): Promise<object[]> {
  const { _handle: handle } = server as Server & { _handle: Server }
  const stdio = ['ignore', 'ignore', 'inherit', 'ipc'] as const
  const echo = spawn(process.execPath, ['-e', ECHO], { stdio: [...stdio], env: {}, timeout: ECHO_TAKES_AT_MOST_MS })
  try {
    return await new Promise<object[]>((resolve, reject) => {
      const received: object[] = []
      echo.once('error', reject).once('exit', (code) => reject(new Error(`no further listeners: exit code ${code}`)))
      echo.on('message', (_, back) => {
        if (received.push(back as object) === count) resolve(received)
      })
      for (let nth = 1; nth <= count; nth += 1) echo.send(nth, handle)
    })
  } finally {
    if (echo.connected) echo.disconnect()
  }
}
