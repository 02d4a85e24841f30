import { startServer } from './buildServer.ts'

/** Serves the build in the folder that is named, until it is ended, and prints where. */
const { url } = await startServer(process.argv[2] ?? '')
console.log(url)
