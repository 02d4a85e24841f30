import type { Answered, Carried } from './PortalServer.ts'
import type { VoucherCall } from './voucherModel.ts'

interface Body {
  serial?: string
  id?: string
  hold?: { id: string }
  redemptions?: { id: string; serial: string }[]
}

interface Said {
  error?: string
  data?: {
    by?: string
    state?: string
    outcomes?: { id: string; outcome: string; error?: string; data?: { by?: string } }[]
  }
}

type Ask = VoucherCall['ask']

/** What was asked about each voucher, and what its tills were told. */
export class History {
  readonly calls = new Map<string, VoucherCall[]>()
  readonly #serials = new Map<string, string>()
  readonly #now: () => number
  #order = 0

  constructor(now: () => number) {
    this.#now = now
  }

  /** A request is on its way; one call for each voucher that it is about. */
  sent({ path, headers, body }: Carried): VoucherCall[] {
    if (!path.startsWith('/api/voucher/')) return []
    const asked = body === undefined ? {} : (JSON.parse(body) as Body)
    const name = path.split('/')[3]!
    const key = new Map(headers).get('idempotency-key')
    if (name === 'upload') return asked.redemptions!.map(({ id, serial }) => this.#ask('redeem', id, serial))
    if (name === 'verify') return [this.#ask('verify', asked.hold!.id, asked.serial!)]
    if (name === 'redeem') return [this.#ask('redeem', key!, asked.serial!)]
    const id = name === 'hold' ? path.split('/')[4]! : asked.id!
    const serial = this.#serials.get(id)
    // What is let go although its verify never left the till is about no voucher.
    return serial === undefined ? [] : [this.#ask(name === 'hold' ? 'ask' : (name as Ask), id, serial)]
  }

  /** Its till has heard the answer. */
  heard(calls: readonly VoucherCall[], { status, body }: Answered): void {
    if (calls.length === 0 || typeof body !== 'string') return
    const { error, data } = JSON.parse(body) as Said
    for (const call of calls) {
      const row = data?.outcomes?.find(({ id }) => id === call.hold)
      // A row that an upload does not mention is unknown.
      if (status === 200 && data?.outcomes && !row) continue
      const code = row ? row.error : error
      const by = row ? row.data?.by : data?.by
      if (code !== undefined) call.answer = code === 'HOLD_ENDED' ? `${code} ${by}` : code
      else call.answer = call.ask === 'ask' ? `200 ${data?.state}` : '200'
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
