import type { Context } from 'hono'
import { rootCause } from '../db/engine/databaseError.ts'
import type { Log } from '../log.ts'
import type { Export } from '../services/tables/readTable.ts'
import type { PortalEnv } from './PortalEnv.ts'
import type { FileAnswer } from './Route.ts'

/** Streams a file as fast as it is read, and stops the work when nobody reads any more. */
export function fileResponse(c: Context<PortalEnv>, file: FileAnswer, log: Log): Response {
  const { filename, contentType, pieces } = file
  c.header('content-type', contentType)
  c.header('content-disposition', contentDisposition(filename))
  const encoder = new TextEncoder()
  let dropped = false
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await pieces.next()
          // The reader may have gone while the piece was made.
          if (dropped) return
          if (!done) return controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
          await file.release()
          controller.close()
        } catch (error) {
          if (dropped) return
          logBreak(c, error, log)
          await file.release().catch(() => undefined)
          breakOff(c, controller, error)
        }
      },
      async cancel() {
        dropped = true
        // Release first: a piece under way may be waiting for what it ends.
        await file.release()
        await pieces.return().catch(() => undefined)
      },
    },
    // No piece is made before it is asked for, so memory stays flat however slow the reader is.
    { highWaterMark: 0 },
  )
  return c.body(stream)
}

/** Half a file must not look whole. A chunked body that ends cleanly does, so the connection is cut. */
function breakOff(c: Context<PortalEnv>, controller: ReadableStreamDefaultController, error: unknown): void {
  // On a socket node-server would end an errored stream with the error's text, so the socket goes first.
  const outgoing = c.env?.outgoing
  if (!outgoing) return controller.error(error)
  outgoing.destroy()
  controller.close()
}

function logBreak(c: Context<PortalEnv>, error: unknown, log: Log): void {
  const root = rootCause(error)
  const message = root instanceof Error ? root.message : String(root)
  log.error('file_broken_off', { request_id: c.get('requestId'), message })
}

/** RFC 6266: the name in ASCII for old readers, and whole in UTF-8 for the others. No path, no line break, no quote gets through. */
export function contentDisposition(filename: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what must not pass
  const safe = filename.replaceAll(/[/\\\u0000-\u001f\u007f]/g, '_')
  const ascii = safe.replaceAll(/[–—]/g, '-').replaceAll(/[^ -~]|"/g, '_')
  const encoded = encodeURIComponent(safe).replaceAll(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

export const csvAnswer = (file: Export): FileAnswer => ({ ...file, contentType: 'text/csv; charset=utf-8' })
