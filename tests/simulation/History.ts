import type { Answered, Carried } from './PortalServer.ts'
import type { VoucherCall } from './voucherModel.ts'

interface Body {
  serial?: string
  hold?: { id: string }
  rows?: { id: string; became: keyof typeof ASKS }[]
}

interface Said {
  error?: string
  data?: { by?: string; outcomes?: { state: string; by?: string }[] }
}

type Ask = VoucherCall['ask']

/** What a till asks by what it tells. */
const ASKS = { redeemed: 'redeem', cancelled: 'cancel', voided: 'void', asking: 'ask' } as const satisfies Record<
  string,
  Ask
>

/** What was asked about each voucher, and what its tills were told. */
export class History {
  readonly calls = new Map<string, VoucherCall[]>()
  readonly #serials = new Map<string, string>()
  /** Of a row in its request. */
  readonly #places = new WeakMap<VoucherCall, number>()
  readonly #now: () => number
  #order = 0

  constructor(now: () => number) {
    this.#now = now
  }

  /** A request is on its way; one call for each voucher that it is about. */
  sent({ path, body }: Carried): VoucherCall[] {
    const asked = body === undefined ? {} : (JSON.parse(body) as Body)
    if (path === '/api/voucher/verify') return [this.#ask('verify', asked.hold!.id, asked.serial!)]
    if (path !== '/api/till/sync') return []
    return asked.rows!.flatMap(({ id, became }, place) => {
      const serial = this.#serials.get(id)
      // What is let go although its verify never left the till is about no voucher.
      if (serial === undefined) return []
      const call = this.#ask(ASKS[became], id, serial)
      this.#places.set(call, place)
      return [call]
    })
  }

  /** Its till has heard the answer. */
  heard(calls: readonly VoucherCall[], { status, body }: Answered): void {
    if (calls.length === 0 || typeof body !== 'string') return
    const { error, data } = JSON.parse(body) as Said
    for (const call of calls) {
      const place = this.#places.get(call)
      const outcome = place === undefined ? undefined : data?.outcomes?.[place]
      // A row of which nothing is said is unknown.
      if (status === 200 && place !== undefined && !outcome) continue
      const by = outcome ? outcome.by : data?.by
      const word = outcome?.state ?? error ?? '200'
      call.answer = by !== undefined && (word === 'ended' || word === 'HOLD_ENDED') ? `${word} ${by}` : word
      this.#end(call)
    }
  }

  /** Somebody else ended whatever hold the voucher had. */
  ended(serial: string, ask: 'release' | 'deactivate'): void {
    const call = this.#ask(ask, '', serial)
    call.answer = '200'
    this.#end(call)
  }

  #ask(ask: Ask, hold: string, serial: string): VoucherCall {
    const never = Number.POSITIVE_INFINITY
    const call: VoucherCall = {
      ask,
      hold,
      from: (this.#order += 1),
      to: never,
      askedAt: this.#now(),
      answeredAt: never,
    }
    this.#serials.set(hold, serial)
    const before = this.calls.get(serial)
    if (before) before.push(call)
    else this.calls.set(serial, [call])
    return call
  }

  #end(call: VoucherCall): void {
    call.to = this.#order += 1
    call.answeredAt = this.#now()
  }
}
