import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { faultProxy, type FaultProxy } from './faultProxy.ts'

/** Longer than any answer on this machine takes. */
const NEVER_MS = 100

let heard: string
let echo: Server
let proxy: FaultProxy
let client: Socket

beforeEach(async () => {
  heard = ''
  echo = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      heard += chunk.toString()
      socket.write(chunk)
    })
  })
  await once(echo.listen(0, '127.0.0.1'), 'listening')
  proxy = await faultProxy(() => (echo.address() as AddressInfo).port)
  client = await dial()
})

afterEach(async () => {
  client.destroy()
  await proxy.close()
  await new Promise((closed) => echo.close(closed))
})

async function dial(): Promise<Socket> {
  const socket = connect(proxy.port, '127.0.0.1')
  await once(socket, 'connect')
  // `next` tells of a connection that breaks.
  return socket.on('error', () => undefined)
}

/** The echo of `text`; `cut` when the line breaks, `silence` when nothing comes. */
async function say(text: string, socket = client): Promise<string> {
  socket.write(text)
  return next(socket)
}

const next = (socket = client): Promise<string> =>
  Promise.race([once(socket, 'data').then(String, () => 'cut'), sleep(NEVER_MS, 'silence')])

it('passes what both sides say, and counts it', async () => {
  expect(await say('one')).toBe('one')
  expect(proxy.bytes).toBe(6)
})

it('makes the line longer', async () => {
  await say('one')
  proxy.delay(60)
  const before = performance.now()
  expect(await say('two')).toBe('two')
  expect(performance.now() - before).toBeGreaterThanOrEqual(58)
})

it('loses an answer: the server has heard the request', async () => {
  proxy.loseAnswers()
  expect(await say('one')).toBe('cut')
  expect(heard).toBe('one')
})

it('is a black hole for open and for new connections, and gives back what it held', async () => {
  await say('one')
  proxy.blackHole()
  expect(await say('two')).toBe('silence')
  const late = await dial()
  expect(await say('three', late)).toBe('silence')
  expect(heard).toBe('one')
  const answers = [next(client), next(late)]
  await proxy.pass()
  expect(await Promise.all(answers)).toEqual(['two', 'three'])
  late.destroy()
})

it('leaves a line half open, and cuts it when it is used after the connection is back', async () => {
  await say('one')
  proxy.halfOpen()
  expect(await say('two')).toBe('silence')
  await proxy.pass()
  expect(await say('three')).toBe('cut')
  expect(heard).toBe('one')
})

it('refuses, on a port that is the same afterwards', async () => {
  await proxy.refuse()
  await expect(dial()).rejects.toThrow('ECONNREFUSED')
  await proxy.pass()
  client = await dial()
  expect(await say('one')).toBe('one')
})

it('cuts every open line and takes new ones', async () => {
  await say('one')
  const cut = next()
  proxy.cut()
  expect(await cut).toBe('cut')
  client = await dial()
  expect(await say('two')).toBe('two')
})
