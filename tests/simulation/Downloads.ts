import { createHash } from 'node:crypto'
import type { Answered, Carried } from './PortalServer.ts'
import type { Tab } from './Tab.ts'

interface Download {
  /** What has come for good: it is never asked for again, unless a person wants it again. */
  stored: Set<string>
  last: string | undefined
  /** The tab that waits for an answer. */
  asking: Tab | undefined
  /** Of the whole files that the server made for it. */
  digests: Set<string>
}

/** What was asked of the server for each queued download, under the id of its row. */
export class Downloads {
  readonly #all = new Map<string, Download>()
  readonly #fail: (promise: string) => void

  constructor(fail: (promise: string) => void) {
    this.#fail = fail
  }

  /** A request is on its way. Answers what to call once its page has heard of it. */
  sent(tab: Tab, { path, headers, body = '' }: Carried): (() => void) | undefined {
    const id = isReport(path) ? new Map(headers).get('idempotency-key') : undefined
    if (id === undefined) return undefined
    const download = this.#of(id)
    const { tablet } = tab
    // Without Web Locks only a run-out lease says whether another tab is at it.
    if (tablet.parts.hasLocks && download.asking?.isAlive)
      this.#fail(`${tablet.name} asks for a download twice at once`)
    if (download.last !== undefined && download.last !== body) download.stored.add(download.last)
    if (download.stored.has(body)) this.#fail(`${tablet.name} asks again for a download that it has`)
    download.last = body
    download.asking = tab
    return () => {
      if (download.asking === tab) download.asking = undefined
    }
  }

  /** The server made this file. */
  made({ path, headers }: Carried, { status, body }: Answered): void {
    const id = new Map(headers).get('idempotency-key')
    if (!isReport(path) || status !== 200 || typeof body === 'string') return
    this.#of(id!).digests.add(digestOf(body))
  }

  /** It lies on the device. */
  ready(id: string): void {
    const { stored, last } = this.#of(id)
    if (last !== undefined) stored.add(last)
  }

  /** Somebody wants it again. */
  retried(id: string): void {
    Object.assign(this.#of(id), { stored: new Set(), last: undefined })
  }

  isOfServer = (id: string, file: ArrayBuffer): boolean => this.#of(id).digests.has(digestOf(file))

  #of(id: string): Download {
    const known = this.#all.get(id)
    if (known) return known
    const download = { stored: new Set<string>(), last: undefined, asking: undefined, digests: new Set<string>() }
    this.#all.set(id, download)
    return download
  }
}

const isReport = (path: string) => path.startsWith('/reporting/')

const digestOf = (file: ArrayBuffer) => createHash('sha256').update(new Uint8Array(file)).digest('hex')
