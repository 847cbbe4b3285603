import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { custodyError } from './custodyError.ts'
import { seal, unseal } from './seal.ts'

/** The content of a wallet. The services store it sealed, and it opens with two key shares only. */
export type VaultContent = {
  /** 16 bytes, see `createEntropy`. */
  readonly entropy: Uint8Array
  /** Creation time in milliseconds since the epoch. */
  readonly createdAt: number
}

/** Identifies the vault. Both values are authenticated. */
export type VaultPlace = { readonly walletId: Uint8Array; readonly epoch: number }

const version = 1
const contentBytes = 1 + 8 + 16

/** Seals a wallet under its wallet key. */
export async function sealVault(
  walletKey: Uint8Array,
  place: VaultPlace,
  { entropy, createdAt }: VaultContent,
): Promise<Uint8Array> {
  const content = new Uint8Array(contentBytes)
  const view = new DataView(content.buffer)
  view.setUint8(0, version)
  view.setBigUint64(1, BigInt(createdAt))
  content.set(entropy, 9)
  try {
    return await seal(walletKey, 'vault', headerOf(place), content)
  } finally {
    content.fill(0)
  }
}

/**
 * Opens a sealed wallet.
 *
 * @throws LatchkeyError `custody/unreadable` with the key of another wallet or epoch, or if the vault was changed
 */
export async function openVault(walletKey: Uint8Array, place: VaultPlace, sealed: Uint8Array): Promise<VaultContent> {
  const content = await unseal(walletKey, 'vault', headerOf(place), sealed, 'The wallet')
  try {
    if (content.length !== contentBytes || content[0] !== version) {
      throw custodyError('custody/unreadable', { what: 'The wallet' })
    }
    const createdAt = Number(new DataView(content.buffer).getBigUint64(1))
    return { entropy: content.slice(9), createdAt }
  } finally {
    content.fill(0)
  }
}

function headerOf({ walletId, epoch }: VaultPlace): Uint8Array {
  const counted = new Uint8Array(4)
  new DataView(counted.buffer).setUint32(0, epoch)
  return concatBytes(utf8ToBytes('WSV1'), walletId, counted)
}
