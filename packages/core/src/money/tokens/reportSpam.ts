import { fetchJson, serverUrl } from '../../api/fetchJson.ts'
import type { Latchkey } from '../../instance/latchkey.ts'

/**
 * Reports the contract of a token or of an NFT to the server as spam. Only the id of the contract is sent. The server
 * counts repeated reports once.
 *
 * @param id the CAIP-10 id of the contract, as in `TokenBalance.address`
 * @throws LatchkeyError `http/status`, `http/unreachable`; `config/invalid` without a server
 * @example await reportSpam(latchkey, 'eip155:1:0x5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a')
 */
export async function reportSpam(latchkey: Latchkey, id: string): Promise<void> {
  await fetchJson(latchkey, serverUrl(latchkey, '/v1/spam-reports'), undefined, { address: id })
}
