import { parseWalletIcon, parseWalletName } from '@latchkey/adapter-kit'
import { getField, isRecord } from '@latchkey/protocol'
import { ownFeature } from './ownFeature.ts'

/** A registered wallet that supports Solana. Its object is untrusted. */
export type StandardWallet = { name: string; icon: string | undefined; wallet: object }

const signingFeatures = ['solana:signTransaction', 'solana:signAndSendTransaction', 'solana:signMessage']

/**
 * Parses a wallet of the Wallet Standard that is not Latchkey's own. Any script can register one, with getters that throw and
 * endless strings.
 */
export function parseStandardWallet(wallet: unknown): StandardWallet | undefined {
  try {
    const name = parseWalletName(getField(wallet, 'name'))
    if (name === undefined || !isRecord(wallet) || !supportsSolana(wallet)) return undefined
    return { name, icon: parseWalletIcon(getField(wallet, 'icon')), wallet }
  } catch {
    return undefined
  }
}

/** Lists the names of the chains that a wallet supports. */
export function listWalletChains(wallet: object): readonly string[] {
  const chains = getField(wallet, 'chains')
  return Array.isArray(chains) ? chains.filter((chain) => typeof chain === 'string') : []
}

function supportsSolana(wallet: object): boolean {
  const chains = listWalletChains(wallet).slice(0, 100)
  const hasFeature = (feature: string): boolean => getField(wallet, 'features', feature) !== undefined
  const isSolana = chains.some((chain) => chain.startsWith('solana:'))
  return isSolana && hasFeature('standard:connect') && signingFeatures.some(hasFeature) && !hasFeature(ownFeature)
}
