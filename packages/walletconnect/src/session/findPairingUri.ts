import { fromBase64Url, decodeUtf8 } from '../crypto/bytes.ts'

/**
 * Finds the pairing URI in the string that opened a wallet: the URI itself, a link with a `uri` parameter
 * (`https://wallet.example/wc?uri=…`, `wallet://wc?uri=…`), or either in base64.
 *
 * @returns the text itself if it contains no pairing URI
 */
export function findPairingUri(text: string): string {
  const trimmed = text.trim()
  const plain = decodePairingUri(trimmed)
  const parameter = plain.startsWith('wc:') ? undefined : findParameter(plain, 'uri')
  return parameter === undefined ? plain : decodePairingUri(parameter)
}

function findParameter(link: string, name: string): string | undefined {
  const queryStart = link.indexOf('?')
  return queryStart < 0 ? undefined : (new URLSearchParams(link.slice(queryStart + 1)).get(name) ?? undefined)
}

/** Decodes base64 if it contains a pairing URI. */
function decodePairingUri(text: string): string {
  try {
    const plain = decodeUtf8(fromBase64Url(text))
    return plain.startsWith('wc:') ? plain : text
  } catch {
    return text
  }
}
