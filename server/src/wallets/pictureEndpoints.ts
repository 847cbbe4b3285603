import { Type } from '@sinclair/typebox'
import { defineEndpoint, type Endpoint } from '../kit/http/defineEndpoint.ts'
import { Problem } from '../kit/http/problem.ts'
import { sha256 } from '../kit/secrets/sha256.ts'
import type { Picture } from './icons/brandIcons.ts'
import type { PictureKind, Pictures } from './pictures.ts'

type PictureRoute = { kind: PictureKind; path: `/${string}`; summary: string; example: string }

/** The id of a well-known network, currency and token. The pictures of all three exist in every deployment. */
const routes: readonly PictureRoute[] = [
  {
    kind: 'asset',
    path: '/public/getAssetImage/:id',
    summary: 'The picture of a network by its CAIP-2 id, or of a wallet by its image_id.',
    example: 'eip155:1',
  },
  {
    kind: 'currency',
    path: '/public/getCurrencyImage/:id',
    summary: 'The picture of a fiat currency by its ISO 4217 code.',
    example: 'usd',
  },
  {
    kind: 'token',
    path: '/public/getTokenImage/:id',
    summary:
      'The picture of a token by its CAIP-2 id and address, or of a native currency or listed token by its symbol.',
    example: 'ETH',
  },
]

/**
 * Creates the endpoints of the pictures of wallets, networks, currencies and tokens.
 *
 * @param walletImageId the image of any listed wallet, as an example
 */
export function createPictureEndpoints(pictures: Pictures, walletImageId: string): readonly Endpoint[] {
  const wallet: PictureRoute = {
    kind: 'wallet',
    path: '/getWalletImage/:id',
    summary: 'The picture of a wallet by its image_id.',
    example: walletImageId,
  }
  return [wallet, ...routes].map((route) => createPictureEndpoint(pictures, route))
}

function createPictureEndpoint(pictures: Pictures, { kind, path, summary, example }: PictureRoute): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path,
    group: 'Wallets',
    summary,
    params: Type.Object({ id: Type.String({ maxLength: 120 }) }),
    response: Type.Unsafe<Picture['body']>(Type.String({ contentMediaType: 'image/*' })),
    contentTypes: ['image/svg+xml', 'image/webp'],
    isPublic: true,
    example: { params: { id: example } },
    cache: 'public, max-age=604800, immutable',
    handle({ params, raw, header, status }) {
      const picture = pictures.find(kind, params.id)
      if (picture === undefined) throw new Problem(404, 'id', 'There is no such picture.')
      const tag = `"${sha256(picture.body).toString('base64url').slice(0, 22)}"`
      header('etag', tag)
      header('cross-origin-resource-policy', 'cross-origin')
      // A picture that is opened directly must not run scripts or load anything.
      header('content-security-policy', "sandbox; default-src 'none'")
      header('content-type', picture.type)
      if (raw.headers['if-none-match'] !== tag) return picture.body
      status(304)
      return ''
    },
  })
}
