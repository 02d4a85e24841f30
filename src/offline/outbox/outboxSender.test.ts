import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { installBrowserGlobals } from '../../../tests/support/browser/browserGlobals.ts'
import type { ReportRequest } from '../../contract/reports/report.ts'
import type { DownloadedFile } from '../../domain/DownloadedFile.ts'
import type { Outcome } from '../../domain/Outcome.ts'
import type { SendDownload } from './outboxSender.ts'

installBrowserGlobals()
const { enqueueDownload, readOutbox, retryDownload, discardDownload, readDownloadedFile, markSaved } =
  await import('./outbox.ts')
const { outboxQueue } = await import('./outboxSender.ts')
const { userStore, wipeUserStore } = await import('../storage/userStore.ts')

const intent = (to = '2026-11-21'): Extract<ReportRequest, { report: 'transaction' }> => ({
  report: 'transaction',
  params: { from: '2026-11-01', to, branch_guid: null, pos_guid: null, denomination_cents: null, format: 'csv' },
})
type SendOutcome = Outcome<DownloadedFile>
const fileOf = (text: string): SendOutcome => ({
  kind: 'done',
  answer: { bytes: new TextEncoder().encode(text).buffer, filename: 'r.csv', type: 'text/csv' },
})
const file = fileOf('a,b')
const later = { kind: 'later', connectionFailed: false, message: 'The server cannot be reached.' } as const
const refused = (message: string): SendOutcome => ({ kind: 'refused', refused: { code: 'REFUSED', message, data: {} } })
const noSession: SendOutcome = { kind: 'logIn', message: 'The access token has expired.' }

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

const add = (id = 'one', wanted: ReportRequest = intent()) => enqueueDownload(owner, id, wanted, `${id}.csv`)
const rows = () => readOutbox(userStore(owner))
const row = async (id = 'one') => (await rows()).find((each) => each.id === id)
function start(send: SendDownload, onReady?: (id: string, filename: string) => void) {
  const sender = outboxQueue(owner, { send, ...(onReady && { onReady }) })
  stops.push(sender.stop)
  sender.wake()
  return sender
}
/** The sender works under this lock from its wake to its end. */
const drained = () => navigator.locks.request(`outbox-${owner}`, async () => undefined)
/** Waits longer than the default second, which is too short on a busy machine. */
const until = (state: string, id?: string) =>
  vi.waitFor(async () => expect((await row(id))?.state).toBe(state), { timeout: 10_000 })

describe('the queue of downloads', () => {
  it('stores one row if the same download is requested twice', async () => {
    await Promise.all([add('one'), add('two')])
    expect(await rows()).toHaveLength(1)
    await add('three', intent('2026-11-20'))
    expect(await rows()).toHaveLength(2)
  })

  it('sends a row once, and the file of a ready row is on the device before anyone is told', async () => {
    await add()
    const send = vi.fn<SendDownload>(async () => file)
    const told: { filename: string; kept: PromiseLike<unknown> }[] = []
    const sender = start(send, (_, filename) => void told.push({ filename, kept: readDownloadedFile(owner, 'one') }))
    sender.wake()
    await until('ready')
    sender.wake()
    await until('ready')
    expect(send).toHaveBeenCalledTimes(1)
    expect(new TextDecoder().decode((await readDownloadedFile(owner, 'one'))?.bytes)).toBe('a,b')
    expect(await row()).toMatchObject({ filename: 'r.csv', size: 3 })
    await drained()
    expect(told).toMatchObject([{ filename: 'r.csv' }])
    expect(await told[0]?.kept).toMatchObject({ id: 'one' })
  })

  it('shows why a download waits for the connection, and continues after "Try now"', async () => {
    // The longest wait: a random one could be close to zero.
    vi.spyOn(Math, 'random').mockReturnValue(1)
    await add()
    const answers: SendOutcome[] = [later, file]
    const sender = start(async () => answers.shift()!)
    await vi.waitFor(async () =>
      expect(await row()).toMatchObject({ state: 'waiting', attempts: 1, trouble: later.message }),
    )
    expect((await row())?.nextAt).toBeGreaterThan(Date.now())
    await retryDownload(owner, 'one')
    sender.wake()
    await until('ready')
  })

  it('marks a refused download as failed, with the server’s message, and sends the next', async () => {
    await add('one')
    await add('two', intent('2026-11-20'))
    start(async (_intent, id) => (id === 'one' ? refused('No such branch.') : file))
    await until('ready', 'two')
    expect(await row('one')).toMatchObject({ state: 'failed', trouble: 'No such branch.' })
  })

  it('keeps all rows when the session is over, and does not send again and again', async () => {
    await add('one')
    await add('two', intent('2026-11-20'))
    const send = vi.fn<SendDownload>(async () => noSession)
    start(send)
    await vi.waitFor(() => expect(send).toHaveBeenCalledTimes(1))
    await until('waiting')
    expect((await rows()).map(({ state }) => state)).toEqual(['waiting', 'waiting'])
    await drained()
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect(send).toHaveBeenCalledTimes(1)
  })

  it.each([
    { waiting: 0, reads: 1 },
    { waiting: 5, reads: 2 },
  ])('reads its rows $reads times in total when $waiting wait', async ({ waiting, reads }) => {
    for (let day = 1; day <= waiting; day += 1) await add(`row ${day}`, intent(`2026-11-0${day}`))
    const read = vi.spyOn(userStore(owner).outbox, 'orderBy')
    start(async () => file)
    await drained()
    expect(read).toHaveBeenCalledTimes(reads)
    expect((await rows()).filter(({ state }) => state === 'ready')).toHaveLength(waiting)
  })

  it('skips a row that was discarded before its turn, and sends one that was retried meanwhile', async () => {
    for (const [place, id] of ['one', 'two', 'three'].entries()) {
      await add(id, intent(`2026-11-0${place + 1}`))
      await userStore(owner).outbox.update(id, { createdAt: place })
    }
    await userStore(owner).outbox.update('one', { state: 'failed' })
    const sent: string[] = []
    start(async (_intent, id) => {
      sent.push(id)
      if (id === 'two') {
        await discardDownload(owner, 'three')
        await retryDownload(owner, 'one')
      }
      return file
    })
    await drained()
    expect(sent).toEqual(['two', 'one'])
  })

  it('does not restore a row that was discarded while it was being sent', async () => {
    await add()
    let arrive: (outcome: SendOutcome) => void = () => undefined
    start((_intent, id) => (id === 'two' ? Promise.resolve(file) : new Promise((resolve) => (arrive = resolve))))
    await until('sending')
    await discardDownload(owner, 'one')
    await add('two', intent('2026-11-20'))
    arrive(file)
    // The second is sent after the first is finished.
    await until('ready', 'two')
    expect(await row('one')).toBeUndefined()
    expect(await readDownloadedFile(owner, 'one')).toBeUndefined()
  })

  it('keeps the bytes of a saved file, because the browser may have refused it silently', async () => {
    await add()
    start(async () => file)
    await until('ready')
    await markSaved(owner, 'one')
    expect(await readDownloadedFile(owner, 'one')).toMatchObject({ type: 'text/csv' })
    expect((await row())?.state).toBe('saved')
  })

  it('leaves a row in place that it cannot read', async () => {
    await userStore(owner).outbox.add({ id: 'new', createdAt: 1, intent: { kind: 'later_kind' } } as never)
    await add()
    start(async () => file)
    await until('ready')
    expect(await userStore(owner).outbox.get('new')).toBeDefined()
  })

  it('aborts the request of a discarded download, and sends the next', async () => {
    await add('one')
    start((_intent, id, _progress, signal) =>
      id === 'two'
        ? Promise.resolve(file)
        : new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
    )
    await until('sending')
    await add('two', intent('2026-11-20'))
    await discardDownload(owner, 'one')
    await until('ready', 'two')
    expect(await row('one')).toBeUndefined()
  })
})
