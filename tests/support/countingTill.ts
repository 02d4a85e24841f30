import type { Receipt } from '../../src/contract/voucher.ts'
import { expect } from 'vitest'
import { type HoldKey, newHoldKey, redeemHeld, type TestTill } from './counter.ts'
import { type Ask, post, type Reply } from './portalClient.ts'

interface Wanted {
  serial: string
  /** On hold first, and redeemed by the right of the hold; else at once, by the session. */
  held: boolean
}
type Attempt = Wanted & { key: HoldKey }

/** What all of them were told, as one. */
export const journalOf = (tills: readonly CountingTill[]): Map<string, string> =>
  new Map(tills.flatMap(({ journal }) => [...journal]))

/** A till that writes down what the server acknowledged, and asks again for what it never heard of. */
export class CountingTill {
  /** Receipt numbers of everything that was acknowledged, by idempotency key. */
  readonly journal = new Map<string, string>()
  private readonly attempts: Attempt[] = []
  private readonly ask: Ask
  private readonly till: TestTill

  constructor(ask: Ask, till: TestTill) {
    this.ask = ask
    this.till = till
  }

  /** One after the other, until the server does not answer any more. */
  async redeemUntilDeath(vouchers: Iterable<Wanted> | AsyncIterable<Wanted>): Promise<void> {
    for await (const wanted of vouchers) {
      const attempt = { ...wanted, key: newHoldKey() }
      this.attempts.push(attempt)
      try {
        if (attempt.held) await this.till.verify(attempt.serial, attempt.key)
        this.note(attempt, await this.redeem(attempt))
      } catch (error) {
        // `fetch` has one word for a server that is gone.
        if (error instanceof TypeError) return
        throw error
      }
    }
  }

  /** Every attempt since it was asked last once more, under its own key: what was acknowledged gets the same receipt. */
  async askAgain(): Promise<void> {
    for (const attempt of this.attempts.splice(0)) {
      let answer = await this.redeem(attempt)
      if (answer.error === 'HOLD_UNKNOWN') {
        await this.till.verify(attempt.serial, attempt.key)
        answer = await this.redeem(attempt)
      }
      this.note(attempt, answer)
    }
  }

  private note({ key, serial, held }: Attempt, answer: Reply<Receipt>) {
    if (answer.status !== 200) {
      expect([held, answer.error], 'refused only where somebody else was quicker').toEqual([
        false,
        'VOUCHER_ALREADY_USED',
      ])
      expect(this.journal.has(key.id), 'what was acknowledged stays so').toBe(false)
      return
    }
    const { receipt_number } = answer.data
    expect(answer.data).toMatchObject({ id: key.id, serial })
    expect(this.journal.get(key.id) ?? receipt_number, 'the same receipt again').toBe(receipt_number)
    this.journal.set(key.id, receipt_number)
  }

  private async redeem(attempt: Attempt): Promise<Reply<Receipt>> {
    for (;;) {
      const answer = await this.redeemOnce(attempt)
      if (answer.error !== 'VOUCHER_BUSY') return answer
    }
  }

  private redeemOnce({ held, serial, key }: Attempt): Promise<Reply<Receipt>> {
    if (held) return redeemHeld(this.ask, serial, key)
    return post<Receipt>(this.ask, '/api/voucher/redeem', { serial }, this.till.token, { 'idempotency-key': key.id })
  }
}
