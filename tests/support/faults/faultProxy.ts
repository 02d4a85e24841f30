import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

type Mode = 'pass' | 'lose answers' | 'half open' | 'black hole'

/** Starts a proxy in front of the TCP server on `target()` of 127.0.0.1. Tests use it to break the connections. */
export async function faultProxy(target: () => number): Promise<FaultProxy> {
  const proxy = new FaultProxy(target)
  await proxy.pass()
  return proxy
}

export class FaultProxy {
  /** The bytes passed in both directions so far, headers and bodies, without TCP's own. */
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

  /** Passes everything. A connection whose other end is gone is cut when it is next used, as in TCP. */
  async pass(): Promise<void> {
    this.#turn('pass')
    if (this.#server.listening) return
    await once(this.#server.listen(this.port, '127.0.0.1'), 'listening')
    this.port = (this.#server.address() as AddressInfo).port
  }

  /** Sets the round-trip time in milliseconds; the bandwidth is not limited. Call it while nothing is being sent. */
  delay(roundTrip: number): void {
    this.oneWayMs = roundTrip / 2
  }

  /** Passes requests. Cuts the connection at the first byte of an answer, so that the answer is lost. */
  loseAnswers = () => this.#turn('lose answers')

  /** The server's end disappears silently: open and new connections receive nothing more. */
  halfOpen = () => this.#turn('half open')

  /** Accepts connections and bytes but passes nothing on in either direction. The bytes held back are sent after `pass`. */
  blackHole = () => this.#turn('black hole')

  /** Cuts every open connection. New connections work. */
  cut(): void {
    for (const line of this.#lines) line.cut()
  }

  /** Closes the port and cuts open connections. */
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

/** One connection: `near` is the client's socket, `far` the one to the server. */
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
    // The close event that follows ends the other socket.
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
