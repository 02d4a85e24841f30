/** A file as the server sent it, whole. */
export interface DownloadedFile {
  bytes: ArrayBuffer
  filename: string
  type: string
}
