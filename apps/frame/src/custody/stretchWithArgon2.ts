import { stretchCost, type StretchPassword } from './passwordKey.ts'

/** Runs Argon2id in the current thread. It takes about half a second and 64 MiB, so call it in a worker of its own. */
export const stretchWithArgon2: StretchPassword = async (input, salt) => {
  const { argon2id } = await import('hash-wasm')
  return argon2id({ password: input, salt, ...stretchCost, outputType: 'binary' })
}
