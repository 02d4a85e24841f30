import { AwsV4Signer } from 'aws4fetch'

/** Where objects lie, and the keys to it: a bucket of an S3 service, or the portal's own folder. */
export interface Bucket {
  /** With the bucket's name as its path, without a slash at the end. */
  url: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

export interface Signable {
  method: 'GET' | 'PUT' | 'DELETE'
  url: string
  /** All of them are signed, type and length included: the store takes the request with these or not at all. */
  headers?: Record<string, string>
  /** How long it is good. */
  seconds: number
  at: Date
}

/** AWS Signature Version 4 in the query. The one place that signs: for S3, for the embedded store, and to check the latter. */
export async function presignedUrl(
  bucket: Omit<Bucket, 'url'>,
  { seconds, at, ...request }: Signable,
): Promise<string> {
  const url = new URL(request.url)
  url.searchParams.set('X-Amz-Expires', String(seconds))
  const { region, accessKeyId, secretAccessKey } = bucket
  const signer = new AwsV4Signer({
    ...request,
    url: url.href,
    datetime: amzDate(at),
    service: 's3',
    region,
    accessKeyId,
    secretAccessKey,
    signQuery: true,
    allHeaders: true,
  })
  return (await signer.sign()).url.href
}

/** `20261121T020000Z`. */
export const amzDate = (at: Date): string => at.toISOString().replaceAll(/[:-]|\.\d{3}/g, '')
