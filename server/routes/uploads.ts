import type { Deps } from '../Deps.ts'
import { asActor, asAnybody } from '../http/handlers.ts'
import type { Routes } from '../http/Route.ts'
import { presignPublicUpload, presignUpload } from '../services/uploads/uploads.ts'

export const uploadRoutes = (deps: Deps): Pick<Routes, 'upload.presign' | 'upload.presignPublic'> => ({
  'upload.presign': asActor(deps, presignUpload),
  'upload.presignPublic': asAnybody(deps, presignPublicUpload),
})
