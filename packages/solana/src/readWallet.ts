/** A wallet that was registered and can be used here. The rest of it is looked at when it is asked. */
export type StandardWallet = { name: string; icon: string | undefined; wallet: object }

const nameLength = 60
/** A picture heavier than this is not a picture for a row. */
const iconLength = 200_000
const signs = ['solana:signTransaction', 'solana:signAndSendTransaction', 'solana:signMessage']

/** Reads a wallet of the Wallet Standard. Anybody can register one, with getters that throw and texts without end. */
export function readWallet(wallet: unknown): StandardWallet | undefined {
  try {
    const [name, icon, chains, features] = ['name', 'icon', 'chains', 'features'].map((key) => read(wallet, key))
    const isSolana = Array.isArray(chains) && chains.slice(0, 100).some((chain) => String(chain).startsWith('solana:'))
    if (typeof name !== 'string' || typeof wallet !== 'object' || wallet === null || !isSolana) return undefined
    // Without what cannot be seen, such as marks that turn the direction of writing.
    const shown = name.replace(/\p{C}/gu, '').trim().slice(0, nameLength)
    const can = (feature: string): boolean => read(features, feature) !== undefined
    if (shown === '' || !can('standard:connect') || !signs.some(can)) return undefined
    return { name: shown, icon: isPicture(icon) ? icon : undefined, wallet }
  } catch {
    return undefined
  }
}

/** A field of what may be anything. */
export function read(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

/** Only a data URI: any other address would be fetched, and tell somebody that the page was opened. */
function isPicture(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length <= iconLength &&
    /^data:image\/(png|jpeg|gif|webp|svg\+xml)[;,]/.test(value)
  )
}
