import { rpcErrors } from '../rpcError.ts'
import type { AdapterRequest, DecodedRequest } from './namespaceAdapter.ts'

/** Decoders by method. */
export type RequestDecoders = { readonly [method: string]: (request: AdapterRequest) => DecodedRequest }

/**
 * Decodes a request with the decoder of its method.
 *
 * @throws RpcError 4200 if the method is not supported, or the decoder's error
 */
export function decodeRequest(decoders: RequestDecoders, request: AdapterRequest): DecodedRequest {
  const decode = Object.hasOwn(decoders, request.method) ? decoders[request.method] : undefined
  if (decode === undefined) throw rpcErrors.unsupported(request.method)
  return decode(request)
}
