import type { HoldEnding } from '../../../../src/contract/redemptions/hold.ts'

/** What a till, or the merchant, asks of the server in this world. */
export type Request =
  | {
      ask: 'verify' | 'redeem' | 'cancel' | 'outcome' | 'void'
      id: string
      secret: string
      serial: string
      device: number
    }
  | { ask: 'release'; serial: string; since: string | undefined }
  | { ask: 'deactivate' | 'reactivate'; device: number }

interface ModelHold {
  serial: string | undefined
  device: number
  since: number
  state: 'held' | HoldEnding
  recordedAt: number
}

const DAY = 24 * 3_600_000
const FIVE_MINUTES = 5 * 60_000

/** The server's side of rule 9.9 in the fewest words: what it must answer to requests that come one after the other. */
export class HoldModel {
  readonly #holds = new Map<string, ModelHold>()
  readonly #inactive = new Set<number>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** `200 …` or the code of the refusal. */
  answer(request: Request): string {
    switch (request.ask) {
      case 'release':
        return this.#release(request.serial, request.since)
      case 'deactivate':
        return this.#deactivate(request.device)
      case 'reactivate':
        return this.#inactive.delete(request.device) ? '200' : 'INVALID_STATE'
      case 'verify':
        return this.#inactive.has(request.device) ? 'SESSION_ENDED' : this.#verify(request)
      case 'void':
        return this.#inactive.has(request.device) ? 'SESSION_ENDED' : this.#void(request)
      case 'redeem':
        return this.#redeem(request)
      case 'cancel':
        return this.#cancel(request)
      case 'outcome':
        return this.#outcome(request)
    }
  }

  #of(serial: string, state: ModelHold['state']) {
    return [...this.#holds.values()].find((hold) => hold.serial === serial && hold.state === state)
  }

  #verify({ id, serial, device }: { id: string; serial: string; device: number }): string {
    const mine = this.#holds.get(id)
    if (mine) return mine.state === 'held' ? `200 since ${mine.since}` : `HOLD_ENDED ${mine.state}`
    if (this.#of(serial, 'redeemed')) return 'VOUCHER_ALREADY_USED'
    const other = this.#of(serial, 'held')
    if (other && this.#now() < other.since + DAY) return 'VOUCHER_HELD'
    if (other) other.state = 'taken over'
    this.#holds.set(id, { serial, device, since: this.#now(), state: 'held', recordedAt: 0 })
    return `200 since ${this.#now()}`
  }

  /** No time is too late for it. */
  #redeem({ id }: { id: string }): string {
    const mine = this.#holds.get(id)
    if (!mine) return 'HOLD_UNKNOWN'
    if (mine.state === 'held') Object.assign(mine, { state: 'redeemed', recordedAt: this.#now() })
    return mine.state === 'redeemed' ? '200' : `HOLD_ENDED ${mine.state}`
  }

  #cancel({ id, device }: { id: string; device: number }): string {
    const made = { serial: undefined, device, since: 0, state: 'held', recordedAt: 0 } as const
    const mine: ModelHold = this.#holds.get(id) ?? { ...made }
    this.#holds.set(id, mine)
    if (mine.state === 'redeemed') return 'HOLD_ENDED redeemed'
    if (mine.state === 'held') mine.state = 'cancelled'
    return `200 ${mine.state}`
  }

  #outcome({ id }: { id: string }): string {
    const state = this.#holds.get(id)?.state
    if (state === undefined) return 'HOLD_UNKNOWN'
    return ['held', 'redeemed', 'voided'].includes(state) ? `200 ${state}` : `200 ended ${state}`
  }

  #void({ id, device }: { id: string; device: number }): string {
    const mine = this.#holds.get(id)
    if (mine?.device !== device || !['redeemed', 'voided'].includes(mine.state)) return 'REDEMPTION_UNKNOWN'
    if (mine.state === 'redeemed' && this.#now() > mine.recordedAt + FIVE_MINUTES) return 'VOID_TOO_LATE'
    mine.state = 'voided'
    return '200'
  }

  #release(serial: string, since: string | undefined): string {
    const of = [...this.#holds.values()].filter((one) => one.serial === serial && one.since === Date.parse(since ?? ''))
    const held = of.find(({ state }) => state === 'held')
    if (held) held.state = 'released by merchant'
    const ended = held ?? of.find(({ state }) => state !== 'redeemed' && state !== 'voided')
    if (!ended) return 'NOT_FOUND'
    return ended.state === 'released by merchant' ? '200' : 'INVALID_STATE'
  }

  #deactivate(device: number): string {
    if (this.#inactive.has(device)) return 'INVALID_STATE'
    this.#inactive.add(device)
    for (const hold of this.#holds.values()) {
      if (hold.device === device && hold.state === 'held') hold.state = 'deactivated'
    }
    return '200'
  }
}
