import { spawn } from 'node:child_process'
import { createServer, type Server } from 'node:net'

/** With the one that is there. */
const LISTENERS = 16
/** Far longer than it takes. */
const ECHO_TAKES_AT_MOST_MS = 10_000
/** Gives back what it is sent, and ends with us. */
const ECHO = "process.on('message', (nth, handle) => process.send(nth, handle)).on('disconnect', () => process.exit())"

/**
 * Since libuv 1.45 a listener takes one new connection in each turn of the event loop, and under load a turn is long: a rush of new
 * clients stood before the door until they gave up. These listen at the socket of `server` with a descriptor of their own, and take
 * one more a turn each (decision 0044). Their connections are those of `server`.
 * @throws Error when the process that gives the descriptors does not start.
 */
export async function moreListeners(server: Server): Promise<Server[]> {
  const handles = await duplicates(server, LISTENERS - 1)
  const listeners = handles.map((handle) =>
    createServer((socket) => void server.emit('connection', socket)).listen(handle),
  )
  for (const listener of listeners) listener.on('error', (error) => void server.emit('error', error))
  return listeners
}

/**
 * Node cannot duplicate a descriptor; one that another process sends back is another one. Sent as a bare handle: as a server the
 * other process would listen, and take connections that nobody answers.
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
