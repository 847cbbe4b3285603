import type { ServerConfig } from '../config.ts'

const sentence =
  'The frame is served without a check of signatures: FRAME_SIGNERS is not set. Anyone who changes its files can take the keys of its users. Sign the release, set FRAME_SIGNERS and FRAME_SIGNATURES, and the option releases in your apps.'

/**
 * Returns a sentence for operators if the server delivers the frame to the public and requires no signatures. A local server, with
 * `LIMITS=local`, serves the build of its developer.
 */
export function findUnsignedFrameWarning({
  services,
  limits,
  login,
}: Pick<ServerConfig, 'services' | 'limits' | 'login'>): string | undefined {
  const isServed = services.includes('frame') && limits === 'public'
  return isServed && login.frame.signers.keys.length === 0 ? sentence : undefined
}
