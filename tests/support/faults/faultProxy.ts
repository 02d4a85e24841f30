import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export type FaultProxy = Awaited<ReturnType<typeof faultProxy>>

type Mode = 'pass' | 'lose answers' | 'half open' | 'black hole'

/** Stands before the TCP server on `target()` of 127.0.0.1, and spoils the line to it. */
export async function faultProxy(target: () => number) {
  const faulty = new FaultyPort(target)
  const port = await faulty.listen(0)
  return {
    port,
    /** Bytes in both directions so far, headers and bodies, without TCP's own. */
    bytes: () => faulty.bytes,
    /** Milliseconds of a round trip from now on, no limit on the width. Change it while nothing is under way. */
    delay(roundTrip: number) {
      faulty.oneWay = roundTrip / 2
    },
    /** Requests go through; at the first byte of an answer its line is cut, and the answer is gone. */
    loseAnswers: () => faulty.turn('lose answers'),
    /** The far side is gone without a word: who is connected, or connects, hears nothing any more. */
    halfOpen: () => faulty.turn('half open'),
    /** Takes connections and bytes, open ones too, and moves nothing in either direction. What was held back comes with `pass`. */
    blackHole: () => faulty.turn('black hole'),
    /** Nobody listens on the port; open lines are cut. */
    refuse: () => faulty.stopListening(),
    /** Ends every open line; new ones go on as before. */
    cut: () => faulty.cut(),
    /** As if nothing were wrong. Lines whose far side is gone are cut as soon as they are used, as TCP would. */
    async pass() {
      faulty.turn('pass')
      await faulty.listen(port)
    },
    close: () => faulty.stopListening(),
  }
}

class FaultyPort {
  bytes = 0
  oneWay = 0
  #mode: Mode = 'pass'
  readonly #lines = new Set<FaultyLine>()
  readonly #server
  readonly #target

  constructor(target: () => number) {
    this.#target = target
    this.#server = createServer({ noDelay: true }, (near) => this.#open(near))
  }

  async listen(port: number): Promise<number> {
    if (!this.#server.listening) {
      await new Promise<void>((listening) => this.#server.listen(port, '127.0.0.1', listening))
    }
    return (this.#server.address() as AddressInfo).port
  }

  async stopListening(): Promise<void> {
    const closed = new Promise((done) => this.#server.close(done))
    this.cut()
    await closed
  }

  turn(mode: Mode): void {
    this.#mode = mode
    for (const line of this.#lines) line.turn(mode)
  }

  cut(): void {
    for (const line of this.#lines) line.cut()
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
  readonly #port

  constructor(near: Socket, far: Socket, port: FaultyPort) {
    this.#near = near
    this.#far = far
    this.#port = port
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
      this.#port.bytes += chunk.length
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
    if (this.#port.oneWay === 0) step()
    else setTimeout(step, this.#port.oneWay)
  }
}
