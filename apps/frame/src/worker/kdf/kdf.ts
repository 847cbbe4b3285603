import { stretchWithArgon2 } from '../../custody/stretchWithArgon2.ts'

/** A password to stretch. The bytes are copies that belong to this worker. */
export type KdfRequest = { readonly input: Uint8Array; readonly salt: Uint8Array }

// Only this worker compiles WebAssembly. It talks to nothing else and ends after one response.
self.addEventListener('message', async ({ data }: MessageEvent<KdfRequest>) => {
  const { input, salt } = data
  const stretched = await stretchWithArgon2(input, salt)
  input.fill(0)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
  self.postMessage(stretched)
})
