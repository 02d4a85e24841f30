import { expect, it } from 'vitest'
import { presignedUrl } from './presignedUrl.ts'

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
