import * as v from 'valibot'
import { uploadApi } from '../../api/portal.ts'
import { presign } from '../../contract/uploads.ts'
import type { Presign } from '../uploads/useUpload.ts'

/** Where somebody who is logged in sends a file of their organisation. Throws ApiError. */
export const presignOwn: Presign = (announced, signal) =>
  uploadApi.presign({ body: v.parse(presign.body, announced), signal })
