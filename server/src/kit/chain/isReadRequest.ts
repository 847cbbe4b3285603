import { getField } from '../runtime/getField.ts'

/** Methods that read and leave no state at the node. Filters belong to the client that created them. */
const readingMethods =
  /^(?:eth_(?:get(?!Filter)\w+|call|estimateGas|blockNumber|chainId|gasPrice|feeHistory|maxPriorityFeePerGas|blobBaseFee)|ots_\w+|get[A-Z]\w*)$/

/** True if a method only reads, so that a request may be sent twice, or shared by several clients. */
export function isReadingMethod(method: unknown): boolean {
  return typeof method === 'string' && readingMethods.test(method)
}

/** True if a request, or each request of a batch, only reads. */
export function isReadRequest(body: unknown): boolean {
  const requests: readonly unknown[] = Array.isArray(body) ? body : [body]
  return requests.every((request) => isReadingMethod(getField(request, 'method')))
}
