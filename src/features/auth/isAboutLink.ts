import { ApiError } from '../../api/ApiError.ts'

/** Dead, or cut short on its way, as some mail programs do: then it does not even look like one of ours. */
export const isLinkInvalid = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'LINK_INVALID' || error.fields.some(({ path }) => path === 'token'))
