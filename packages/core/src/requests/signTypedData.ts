import type { TypedData } from 'abitype'
import type { StructuredData } from '../contracts/smartContracts.ts'
import type { Latchkey } from '../instance/latchkey.ts'
import { loadSmartContracts } from '../smartContracts/contractNetwork.ts'
import type { TypedDataRequest } from '../smartContracts/contractRequest.ts'
import { connectionForRequest, type RequestOptions } from './requestOptions.ts'
import { untilApprovalsClose } from './untilApprovalsClose.ts'

type SignCall<result> = <
  const types extends TypedData | Readonly<Record<string, unknown>>,
  primaryType extends keyof types & string,
>(
  data: TypedDataRequest<types, primaryType>,
  options?: RequestOptions,
) => result

/** The functions that sign structured data, as hooks and stores offer them. Each message is typed by its types. */
export type TypedDataSigner = { mutate: SignCall<void>; mutateAsync: SignCall<Promise<string>> }

/**
 * Asks the connected wallet to sign structured data (EIP-712).
 *
 * @param data the types declared `as const`, the name of the type to sign, its message, and the domain
 * @param options `chainId` switches the wallet to the network of the domain first
 * @returns the signature as hex
 * @throws LatchkeyError `contract/call-invalid` if the message does not match its types, `connection/not-connected`,
 * `request/rejected`, `request/not-allowed` in namespaces without structured data, `request/unknown`.
 * @example
 * const types = { Order: [{ name: 'amount', type: 'uint256' }] } as const
 * const signature = await signTypedData(latchkey, { types, primaryType: 'Order', message: { amount: 1n } })
 */
export async function signTypedData<
  const types extends TypedData | Readonly<Record<string, unknown>>,
  primaryType extends keyof types & string,
>(latchkey: Latchkey, data: TypedDataRequest<types, primaryType>, options: RequestOptions = {}): Promise<string> {
  const live = await connectionForRequest(latchkey, options)
  const contracts = await loadSmartContracts(latchkey, live.network, 'signTypedData')
  const { connection, account } = live.state
  // The adapter checks the message against its types.
  const signed = contracts.signTypedData(connection, account, data as StructuredData)
  return untilApprovalsClose(latchkey, live, 'signTypedData', signed)
}
