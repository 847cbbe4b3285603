import type { FastifyInstance } from 'fastify'
import type { ServerConfig } from '../config.ts'
import type { Progress } from '../indexer/service.ts'
import { mountEndpoints, type Endpoint } from '../kit/endpoint.ts'
import { serveDocs } from '../kit/openApi.ts'
import { createPictures } from '../wallets/pictures.ts'
import { analyticsConfig, servePictures, walletList } from '../wallets/route.ts'
import { readWalletList } from '../wallets/walletList.ts'
import { appConfig } from './appConfig/route.ts'
import { convertEndpoints } from './convert/endpoints.ts'
import { dataEndpoints } from './dataEndpoints.ts'
import type { Guard } from './guard.ts'
import { nftPictures } from './nfts/pictureRoute.ts'
import { openParts, type ApiParts, type Parts } from './parts.ts'
import { rpc } from './rpc/route.ts'

/** The data service. */
export type Api = {
  /** Begins to follow the chains; browsers reach the server at `url`. */
  begin(url: string): void
  /** How far each chain is indexed. */
  progress(): readonly Progress[]
  close(): Promise<void>
}

/** Mounts the data service and the wallet list. */
export async function mountApi(app: FastifyInstance, config: ServerConfig, given: ApiParts): Promise<Api> {
  const parts = await openParts(config, given, app.log)
  const wallets = walletsOf(config)
  const endpoints = guardedEndpoints(parts, wallets)
  for (const [admit, each] of endpoints) mountEndpoints(app, each, admit)
  serveDocs(
    app,
    endpoints.flatMap(([, each]) => each),
  )
  serveOthers(app, parts, wallets)

  const { indexing, safeFetch, place } = parts
  return {
    begin(url) {
      if (place.pictures === '') place.pictures = url
      indexing.begin()
    },
    progress: indexing.progress,
    async close() {
      await indexing.close()
      await safeFetch.close()
    },
  }
}

type Wallets = ReturnType<typeof readWalletList>

/** All endpoints, by the guard that they share. */
function guardedEndpoints(parts: Parts, wallets: Wallets): readonly (readonly [Guard, readonly Endpoint[]])[] {
  const { chains, pools, guard, limits, config } = parts
  const reads = guard(limits.reads)
  return [
    [reads, dataEndpoints(parts)],
    [reads, convertEndpoints(parts)],
    [guard(limits.rpc), rpc({ chains, pools })],
    [guard(limits.wallets), [walletList({ wallets }), analyticsConfig(), ...appConfig({ projects: config.projects })]],
  ]
}

/** What is no JSON: pictures. */
function serveOthers(app: FastifyInstance, { chains, indexing, nftFacts, safeFetch }: Parts, wallets: Wallets): void {
  nftPictures(app, { indexed: indexing.indexed, nfts: nftFacts, safeFetch })
  servePictures(app, createPictures({ wallets, chains }))
}

function walletsOf({ developerWalletUrl, wallets, chains }: ServerConfig): Wallets {
  return readWalletList({ developerWalletUrl, own: wallets, chains: chains.map(({ caipNetworkId }) => caipNetworkId) })
}
