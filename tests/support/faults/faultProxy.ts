import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

type Mode = 'pass' | 'lose answers' | 'half open' | 'black hole'

/** Stands before the TCP server on `target()` of 127.0.0.1, and spoils the line to it. */
export async function faultProxy(target: () => number): Promise<FaultProxy> {
  const proxy = new FaultProxy(target)
  await proxy.pass()
  return proxy
}

export class FaultProxy {
  /** In both directions so far, headers and bodies, without TCP's own. */
  bytes = 0
  oneWayMs = 0
  port = 0
  #mode: Mode = 'pass'
  readonly #lines = new Set<FaultyLine>()
  readonly #server
  readonly #target

  constructor(target: () => number) {
    this.#target = target
    this.#server = createServer({ noDelay: true }, (near) => this.#open(near))
  }

  /** As if nothing were wrong. Lines whose far side is gone are cut as soon as they are used, as TCP would. */
  async pass(): Promise<void> {
    this.#turn('pass')
    if (this.#server.listening) return
    await once(this.#server.listen(this.port, '127.0.0.1'), 'listening')
    this.port = (this.#server.address() as AddressInfo).port
  }

  /** Milliseconds of a round trip from now on, no limit on the width. Change it while nothing is under way. */
  delay(roundTrip: number): void {
    this.oneWayMs = roundTrip / 2
  }

  /** Requests go through; at the first byte of an answer its line is cut, and the answer is gone. */
  loseAnswers = () => this.#turn('lose answers')

  /** The far side is gone without a word: who is connected, or connects, hears nothing any more. */
  halfOpen = () => this.#turn('half open')

  /** Takes connections and bytes, open ones too, and moves nothing in either direction. What was held back comes with `pass`. */
  blackHole = () => this.#turn('black hole')

  /** Ends every open line; new ones go on as before. */
  cut(): void {
    for (const line of this.#lines) line.cut()
  }

  /** Nobody listens on the port; open lines are cut. */
  async refuse(): Promise<void> {
    const closed = new Promise((done) => this.#server.close(done))
    this.cut()
    await closed
  }

  close = () => this.refuse()

  #turn(mode: Mode): void {
    this.#mode = mode
    for (const line of this.#lines) line.turn(mode)
  }

  #open(near: Socket): void {
    const far = connect({ host: '127.0.0.1', port: this.#target(), noDelay: true })
    const line: FaultyLine = new FaultyLine(near, far, this)
    this.#lines.add(line)
    near.once('close', () => this.#lines.delete(line))
    line.turn(this.#mode)
  }
}

/** One connection: the near end is the client's, the far end the server's. */
class FaultyLine {
  #mode: Mode = 'pass'
  readonly #near
  readonly #far
  readonly #proxy

  constructor(near: Socket, far: Socket, proxy: FaultProxy) {
    this.#near = near
    this.#far = far
    this.#proxy = proxy
    this.#pour(near, far)
    this.#pour(far, near)
  }

  turn(mode: Mode): void {
    this.#mode = mode
    if (mode === 'half open') this.#far.resetAndDestroy()
    for (const end of [this.#near, this.#far]) {
      if (mode === 'black hole') end.pause()
      else end.resume()
    }
  }

  cut(): void {
    this.#near.resetAndDestroy()
    this.#far.resetAndDestroy()
  }

  #pour(from: Socket, to: Socket): void {
    from.on('data', (chunk: Buffer) => {
      this.#proxy.bytes += chunk.length
      if (this.#mode === 'lose answers' && from === this.#far) this.cut()
      else this.#after(() => this.#pass(chunk, to))
    })
    from.on('close', () => this.#after(() => this.#mode === 'half open' || to.destroy()))
    // The close that follows says it to the other end.
    from.on('error', () => undefined)
  }

  #pass(chunk: Buffer, to: Socket): void {
    if (to.writable) to.write(chunk)
    else if (this.#mode === 'pass') this.cut()
  }

  #after(step: () => void): void {
    if (this.#proxy.oneWayMs === 0) step()
    else setTimeout(step, this.#proxy.oneWayMs)
  }
}
