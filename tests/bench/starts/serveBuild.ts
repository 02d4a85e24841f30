import { startBuildServer } from './buildServer.ts'

/** Serves the build in the folder that is named, until it is ended, and prints where. */
const { url } = await startBuildServer(process.argv[2] ?? '')
console.log(url)
