import { expect, it } from 'vitest'
import { presignedUrl, s3Store } from './s3Store.ts'

it("signs AWS's published example of a presigned URL as AWS does", async () => {
  // Amazon S3 API reference, "Authenticating Requests: Using Query Parameters": GET test.txt of examplebucket.
  const example = {
    region: 'us-east-1',
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  }
  const url = await presignedUrl(example, {
    method: 'GET',
    url: 'https://examplebucket.s3.amazonaws.com/test.txt',
    seconds: 86_400,
    at: new Date('2013-05-24T00:00:00Z'),
  })
  expect(Object.fromEntries(new URL(url).searchParams)).toEqual({
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': 'AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request',
    'X-Amz-Date': '20130524T000000Z',
    'X-Amz-Expires': '86400',
    'X-Amz-SignedHeaders': 'host',
    'X-Amz-Signature': 'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  })
})

it('UPL-03: signs that a file may be put once, unless its store does not know the condition', async () => {
  const options = {
    endpoint: 'https://s3.example',
    bucket: 'files',
    region: 'us-east-1',
    accessKeyId: 'a',
    secretAccessKey: 'b',
  }
  const terms = { contentType: 'image/png', contentLength: 12 }
  const put = (conditionalPut: boolean) =>
    s3Store({ ...options, conditionalPut }, { now: () => new Date() }).presignPut('incoming/one', terms)
  const { url, headers } = await put(true)
  expect(headers).toEqual({ 'content-type': 'image/png', 'if-none-match': '*' })
  const signed = new URL(url).searchParams.get('X-Amz-SignedHeaders')
  expect(signed).toBe('content-length;content-type;host;if-none-match')
  expect((await put(false)).headers).toEqual({ 'content-type': 'image/png' })
})
