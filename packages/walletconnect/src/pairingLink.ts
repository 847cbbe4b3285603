import { fromBase64Url, utf8Text } from './bytes.ts'

/**
 * Finds the pairing link in what a wallet was opened with: itself, the link whose `uri` parameter carries it
 * (`https://wallet.example/wc?uri=…`, `wallet://wc?uri=…`), or all of it in base64.
 *
 * @returns the text itself when it carries nothing.
 */
export function pairingUriIn(text: string): string {
  const trimmed = text.trim()
  const plain = decoded(trimmed)
  const carried = plain.startsWith('wc:') ? undefined : parameterOf(plain, 'uri')
  return carried === undefined ? plain : decoded(carried)
}

function parameterOf(link: string, name: string): string | undefined {
  const at = link.indexOf('?')
  return at < 0 ? undefined : (new URLSearchParams(link.slice(at + 1)).get(name) ?? undefined)
}

/** What base64 stands for, where that is a pairing link. */
function decoded(text: string): string {
  try {
    const plain = utf8Text(fromBase64Url(text))
    return plain.startsWith('wc:') ? plain : text
  } catch {
    return text
  }
}
