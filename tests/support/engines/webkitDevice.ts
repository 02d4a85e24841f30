import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../server/freePort.ts'
import type { Device, DeviceOptions, Tab } from './Tab.ts'

const BROWSER = join(import.meta.dirname, 'webkitBrowser.js')

/** Opens WebKitGTK in the window of webkitBrowser.js, with classic WebDriver. */
export async function openWebKit(executablePath: string, options: DeviceOptions): Promise<Device> {
  const downloads = join(options.folder, 'downloads')
  mkdirSync(downloads, { recursive: true })
  const screen = await startScreen()
  const port = await freePort()
  const heard: string[] = []
  const driverProcess = spawn('WebKitWebDriver', [`--port=${port}`], {
    // In a process group of its own, so that the browser ends with the driver.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, DISPLAY: screen.display, GDK_BACKEND: 'x11' },
  })
  const listen = (chunk: Buffer) => heard.push(...chunk.toString().split('\n'))
  driverProcess.stdout.on('data', listen)
  driverProcess.stderr.on('data', listen)
  const end = () => {
    if (driverProcess.pid) process.kill(-driverProcess.pid, 'SIGKILL')
    screen.end()
  }
  try {
    const session = await connect(port, executablePath, options)
    return deviceOf(session, downloads, heard, end)
  } catch (error) {
    end()
    throw error
  }
}

/** Starts a session of classic WebDriver (W3C). */
async function connect(port: number, binary: string, options: DeviceOptions): Promise<Session> {
  const args = ['-m', BROWSER, JSON.stringify(options)]
  const wanted = { browserName: 'portal-webkit', 'webkitgtk:browserOptions': { binary, args } }
  const at = `http://127.0.0.1:${port}/session`
  const { sessionId } = await listening(() =>
    command<{ sessionId: string }>('POST', at, { capabilities: { alwaysMatch: wanted } }),
  )
  const session: Session = (method, path, body) => command(method, `${at}/${sessionId}${path}`, body)
  await session('POST', '/window/rect', { x: 0, y: 0, width: 1280, height: 870 })
  await session('POST', '/timeouts', { script: 15_000, pageLoad: 30_000 })
  return session
}

type Method = 'GET' | 'POST' | 'DELETE'

type Session = <T>(method: Method, path: string, body?: object) => Promise<T>

async function command<T>(method: Method, url: string, body?: object): Promise<T> {
  const sent = method === 'POST' ? { method, body: JSON.stringify(body ?? {}) } : { method }
  const { value } = (await (await fetch(url, sent)).json()) as { value: T & { error?: string; message?: string } }
  if (value?.error) throw new Error(`${value.error}: ${value.message}`)
  return value
}

/** Repeats the call until the driver listens, a moment after its start. */
async function listening<T>(ask: () => Promise<T>): Promise<T> {
  for (let left = 100; ; left--) {
    try {
      return await ask()
    } catch (error) {
      if (left === 0 || !(error instanceof TypeError)) throw error
      await sleep(100)
    }
  }
}

/** Starts an invisible screen with a free number. */
async function startScreen() {
  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const said = await new Promise<Buffer>((resolve, reject) => {
    server.once('error', reject)
    ;(server.stdio[3] as Readable).once('data', resolve)
  })
  return { display: `:${said.toString().trim()}`, end: () => void server.kill() }
}

const COMPLAINT = /^CONSOLE .*\bERROR\b/

function deviceOf(session: Session, downloads: string, heard: string[], end: () => void): Device {
  let isFirst = true
  return {
    downloads,
    complaints: () => heard.filter((line) => COMPLAINT.test(line)),
    async newTab() {
      const made = isFirst
        ? await session<string>('GET', '/window')
        : (await session<{ handle: string }>('POST', '/window/new', { type: 'window' })).handle
      isFirst = false
      return tabOf(session, made)
    },
    async close() {
      await session('DELETE', '').finally(end)
    },
  }
}

/** Returns a script that runs `work` in the page and returns the result by calling its last argument. */
const answerOf = (work: (given: never) => unknown) => `
  const done = arguments[arguments.length - 1]
  Promise.resolve().then(() => (${String(work)})(arguments[0])).then(
    (value) => done({ value }),
    (error) => done({ error: String(error && error.stack || error) }),
  )`

const ENTER = '\uE007'

function tabOf(session: Session, handle: string): Tab {
  const here: Session = async (...given) => {
    await session('POST', '/window', { handle })
    return session(...given)
  }
  const act = (device: { type: string; actions: object[] }) =>
    here<void>('POST', '/actions', { actions: [{ id: device.type, ...device }] })
  return {
    goto: (url) => here('POST', '/url', { url }),
    reload: () => here('POST', '/refresh'),
    async evaluate<A, R>(work: (given: A) => R | Promise<R>, given?: A) {
      const run = { script: answerOf(work), args: [given ?? null] }
      const answer = await here<{ value: R; error?: string }>('POST', '/execute/async', run)
      if (answer.error) throw new Error(answer.error)
      return answer.value
    },
    click: (x, y) =>
      act({
        type: 'pointer',
        actions: [
          { type: 'pointerMove', x: Math.round(x), y: Math.round(y), origin: 'viewport' },
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ],
      }),
    type(keys) {
      const pressed = [...keys.replaceAll('\n', ENTER)]
      return act({
        type: 'key',
        actions: pressed.flatMap((value) => [
          { type: 'keyDown', value },
          { type: 'keyUp', value },
        ]),
      })
    },
    screenshot: async () => Buffer.from(await here<string>('GET', '/screenshot'), 'base64'),
  }
}
