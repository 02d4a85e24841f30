import { buffer } from 'node:stream/consumers'
import { inspectPdf } from './inspectPdf.ts'

// Started by `validatePdf`: a PDF comes in, a verdict goes out.
process.stdout.write(JSON.stringify(await inspectPdf(await buffer(process.stdin))))
