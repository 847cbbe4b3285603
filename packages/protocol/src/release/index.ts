export { manifestLimits, manifestName, parseFrameManifest, type FrameManifest } from './frameManifest.ts'
export { encodeReleaseBytes, parseReleaseKey } from './releaseKey.ts'
export {
  parseReleaseSignatures,
  releaseMessage,
  signaturesName,
  verifyRelease,
  verifyWithWebCrypto,
  type ReleaseSignature,
  type ReleaseSigners,
  type VerifyEd25519,
} from './releaseSignatures.ts'
