import { createServer, connect, type AddressInfo, type Socket } from 'node:net'

export interface DelayingProxy {
  port: number
  /** Bytes in both directions so far, headers and bodies, without TCP's own. */
  bytes(): number
  /** Milliseconds of a round trip from now on. */
  delay(roundTrip: number): void
  close(): Promise<void>
}

/** A longer line to the server on `target()`: half of the round trip each way, no limit on the width. */
export async function delayingProxy(target: () => number): Promise<DelayingProxy> {
  let oneWay = 0
  let bytes = 0
  const open = new Set<Socket>()
  const pour = (from: Socket, to: Socket) => {
    from.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      setTimeout(() => to.writable && to.write(chunk), oneWay)
    })
    from.on('close', () => setTimeout(() => to.destroy(), oneWay))
    from.on('error', () => to.destroy())
    open.add(from)
  }
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ host: '127.0.0.1', port: target(), noDelay: true })
    pour(near, far)
    pour(far, near)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    port: (server.address() as AddressInfo).port,
    bytes: () => bytes,
    delay(roundTrip) {
      oneWay = roundTrip / 2
    },
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise((closed) => server.close(closed))
    },
  }
}
