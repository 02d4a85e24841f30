import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { installBrowserGlobals } from '../../../tests/support/browserGlobals.ts'
import type { OutboxIntent } from '../../contract/outboxIntents.ts'
import type { Send, SendOutcome } from './outboxSender.ts'

installBrowserGlobals()
const { enqueue, rowsOf, retryNow, discard, fileOf, markSaved } = await import('./outbox.ts')
const { startSender } = await import('./outboxSender.ts')
const { userStore, wipeUserStore } = await import('./userStore.ts')

const intent = (to = '2026-11-21'): OutboxIntent => ({
  kind: 'transaction_report',
  params: { from: '2026-11-01', to, branch_guid: null, pos_guid: null, denomination_cents: null, format: 'csv' },
})
const file: SendOutcome = {
  kind: 'done',
  bytes: new TextEncoder().encode('a,b').buffer,
  filename: 'r.csv',
  type: 'text/csv',
}
const later: SendOutcome = { kind: 'later', trouble: 'The server cannot be reached.' }

let owner: string
let stops: (() => void)[] = []
beforeEach(() => {
  owner = crypto.randomUUID()
})
afterEach(async () => {
  for (const stop of stops) stop()
  stops = []
  await wipeUserStore(owner)
})

const add = (id = 'one', wanted = intent()) => enqueue(owner, id, wanted, `${id}.csv`)
const rows = () => rowsOf(userStore(owner))
const row = async (id = 'one') => (await rows()).find((each) => each.id === id)
function start(send: Send, onReady?: (filename: string) => void) {
  const sender = startSender(owner, send, onReady)
  stops.push(sender.stop)
  sender.wake()
  return sender
}
const until = (state: string, id?: string) => vi.waitFor(async () => expect((await row(id))?.state).toBe(state))

describe('the queue of downloads', () => {
  it('keeps one row for the same wish tapped twice', async () => {
    await Promise.all([add('one'), add('two')])
    expect(await rows()).toHaveLength(1)
    await add('three', intent('2026-11-20'))
    expect(await rows()).toHaveLength(2)
  })

  it('sends a row once, and Ready always has its file', async () => {
    await add()
    const send = vi.fn<Send>(async () => file)
    const sender = start(send)
    sender.wake()
    await until('ready')
    sender.wake()
    await until('ready')
    expect(send).toHaveBeenCalledTimes(1)
    expect(new TextDecoder().decode((await fileOf(owner, 'one'))?.bytes)).toBe('a,b')
    expect(await row()).toMatchObject({ filename: 'r.csv', size: 3 })
  })

  it('says a file is ready once it is on the device', async () => {
    await add()
    const told: { filename: string; kept: PromiseLike<unknown> }[] = []
    start(
      async () => file,
      (filename) => void told.push({ filename, kept: fileOf(owner, 'one') }),
    )
    await vi.waitFor(() => expect(told).toMatchObject([{ filename: 'r.csv' }]))
    expect(await told[0]?.kept).toMatchObject({ id: 'one' })
  })

  it('is sent by one sender of two', async () => {
    await add()
    const send = vi.fn<Send>(async () => file)
    start(send)
    start(send)
    await until('ready')
    expect(send).toHaveBeenCalledTimes(1)
  })

  it('waits for the line with the reason in sight, and goes on at "Try now"', async () => {
    await add()
    const answers: SendOutcome[] = [later, file]
    const sender = start(async () => answers.shift()!)
    await vi.waitFor(async () =>
      expect(await row()).toMatchObject({ state: 'waiting', attempts: 1, trouble: later.trouble }),
    )
    expect((await row())?.nextAt).toBeGreaterThan(Date.now())
    await retryNow(owner, 'one')
    sender.wake()
    await until('ready')
  })

  it('waits as long as the server named', async () => {
    await add()
    start(async () => ({ kind: 'later', trouble: 'busy', retryAfterMs: 7_000 }))
    await vi.waitFor(async () => expect((await row())?.attempts).toBe(1))
    expect((await row())!.nextAt).toBeGreaterThan(Date.now() + 6_000)
  })

  it('parks what the server refuses, with its words, and sends the next', async () => {
    await add('one')
    await add('two', intent('2026-11-20'))
    start(async (_intent, id) => (id === 'one' ? { kind: 'refused', trouble: 'No such branch.' } : file))
    await until('ready', 'two')
    expect(await row('one')).toMatchObject({ state: 'failed', trouble: 'No such branch.' })
  })

  it('keeps everything when the session is over', async () => {
    await add('one')
    await add('two', intent('2026-11-20'))
    const send = vi.fn<Send>(async () => ({ kind: 'stop' }))
    start(send)
    await vi.waitFor(() => expect(send).toHaveBeenCalledTimes(1))
    await until('waiting')
    expect((await rows()).map(({ state }) => state)).toEqual(['waiting', 'waiting'])
  })

  it('takes up a row that a killed tab left half sent', async () => {
    await add()
    await userStore(owner).outbox.update('one', { state: 'sending', leaseUntil: Date.now() + 60_000 })
    start(async () => file)
    await until('ready')
    expect(await fileOf(owner, 'one')).toBeDefined()
  })

  it('does not bring back a row that was discarded while it was on its way', async () => {
    await add()
    let arrive: (outcome: SendOutcome) => void = () => undefined
    start((_intent, id) => (id === 'two' ? Promise.resolve(file) : new Promise((resolve) => (arrive = resolve))))
    await until('sending')
    await discard(owner, 'one')
    await add('two', intent('2026-11-20'))
    arrive(file)
    // The second is sent after the first was dealt with.
    await until('ready', 'two')
    expect(await row('one')).toBeUndefined()
    expect(await fileOf(owner, 'one')).toBeUndefined()
  })

  it('lets the bytes go once the person has the file', async () => {
    await add()
    start(async () => file)
    await until('ready')
    await markSaved(owner, 'one')
    expect(await fileOf(owner, 'one')).toBeUndefined()
    expect((await row())?.state).toBe('saved')
  })

  it('leaves a row of a release it does not know where it is', async () => {
    await userStore(owner).outbox.add({ id: 'new', createdAt: 1, intent: { kind: 'later_kind' } } as never)
    await add()
    start(async () => file)
    await until('ready')
    expect(await userStore(owner).outbox.get('new')).toBeDefined()
  })
})
