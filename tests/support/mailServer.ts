import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  to: string[]
  /** As it went over the wire. */
  source: string
}

export interface MailServer {
  received: ReceivedMail[]
  port: number
  close(): Promise<void>
}

/** A real mail server on 127.0.0.1 that keeps what it is given; addresses at `nowhere.example` it refuses. */
export function startMailServer(port = 0): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo({ address }, _session, done) {
      if (!address.endsWith('@nowhere.example')) return done()
      done(Object.assign(new Error('no such user'), { responseCode: 550 }))
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        received.push({ to: envelope.rcptTo.map(({ address }) => address), source: Buffer.concat(chunks).toString() })
        done()
      })
    },
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    const listener = server.listen(port, '127.0.0.1', () => {
      const { port: chosen } = listener.address() as AddressInfo
      resolve({ received, port: chosen, close: () => new Promise((closed) => server.close(() => closed())) })
    })
  })
}
