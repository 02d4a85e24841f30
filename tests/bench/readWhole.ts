import { request } from 'node:http'

export interface Asked {
  host: string
  port: number
  path: string
  headers: Record<string, string>
  body: string
}

export interface Whole {
  status: number | undefined
  /** As the answer's own header has it. */
  rows: number
  bytes: number
}

/** Reads an answer to its end and keeps nothing of it. Throws when it breaks off. */
export const readWhole = ({ host, port, path, headers, body }: Asked): Promise<Whole> =>
  new Promise((resolve, reject) => {
    const call = request({ host, port, path, method: 'POST', headers }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => (bytes += chunk.length))
      response.once('error', reject)
      response.once('end', () =>
        resolve({ status: response.statusCode, rows: Number(response.headers['x-row-count']), bytes }),
      )
    })
    call.once('error', reject)
    call.end(body)
  })
