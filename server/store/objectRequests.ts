import type { Clock } from '../Deps.ts'
import { type GetTerms, type ObjectName, PUT_SECONDS, type PresignedPut, type PutTerms } from './FileStore.ts'
import { type Bucket, presignedUrl } from './presignedUrl.ts'

export interface Presigner {
  put(name: ObjectName, terms: PutTerms): Promise<PresignedPut>
  get(name: ObjectName, terms: GetTerms, seconds: number): Promise<string>
}

/** Presigned addresses of one bucket, alike for every store. `once`: a second PUT is refused by the store itself. */
export function presigner(bucket: Bucket, clock: Clock, { once }: { once: boolean }): Presigner {
  return {
    async put(name, { contentType, contentLength }) {
      const at = clock.now()
      const sent = { 'content-type': contentType, ...(once ? { 'if-none-match': '*' } : {}) }
      const headers = { ...sent, 'content-length': String(contentLength) }
      const url = `${bucket.url}/${name}`
      return {
        url: await presignedUrl(bucket, { method: 'PUT', url, headers, seconds: PUT_SECONDS, at }),
        headers: sent,
        expiresAt: new Date(at.getTime() + PUT_SECONDS * 1_000),
      }
    },
    get(name, { contentType, contentDisposition }, seconds) {
      const url = new URL(`${bucket.url}/${name}`)
      url.searchParams.set('response-content-type', contentType)
      url.searchParams.set('response-content-disposition', contentDisposition)
      return presignedUrl(bucket, { method: 'GET', url: url.href, seconds, at: clock.now() })
    },
  }
}
