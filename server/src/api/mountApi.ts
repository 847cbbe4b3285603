import type { FastifyInstance, FastifyReply } from 'fastify'
import type { ServerConfig } from '../config.ts'
import type { Progress } from '../indexer/service.ts'
import { mountEndpoints, type Endpoint } from '../kit/endpoint.ts'
import { Problem } from '../kit/problem.ts'
import { serveDocs } from '../kit/openApi.ts'
import { watchEndpoints, type EndpointWatch } from '../kit/watchEndpoints.ts'
import { createPictures } from '../wallets/pictures.ts'
import { analyticsConfig, servePictures, walletList } from '../wallets/route.ts'
import { readWalletList } from '../wallets/walletList.ts'
import { appConfig } from './appConfig/route.ts'
import { bundler } from './bundler/route.ts'
import { convertEndpoints } from './convert/endpoints.ts'
import { dataEndpoints } from './dataEndpoints.ts'
import type { Guard } from './guard.ts'
import { serveAvatars } from './identity/avatars.ts'
import { nftPictures } from './nfts/pictureRoute.ts'
import { openParts, type ApiParts, type Parts } from './parts.ts'
import { rpc } from './rpc/route.ts'
import { createRpcSockets, type RpcSockets } from './rpc/sockets.ts'

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
  const sockets = serveSockets(app, parts)

  const { indexing, safeFetch, place } = parts
  let watch: EndpointWatch | undefined
  return {
    begin(url) {
      if (place.pictures === '') place.pictures = url
      watch = watchEndpoints(parts)
      // What a wrong node tells would stay in the index.
      void watch.first.then(indexing.begin)
      parts.onRamp.begin()
    },
    progress: indexing.progress,
    async close() {
      sockets.close()
      watch?.stop()
      await indexing.close()
      await safeFetch.close()
    },
  }
}

type Wallets = ReturnType<typeof readWalletList>

/** All endpoints, by the guard that they share. */
function guardedEndpoints(parts: Parts, wallets: Wallets): readonly (readonly [Guard, readonly Endpoint[]])[] {
  const { chains, answering, guard, limits, config } = parts
  const reads = guard(limits.reads)
  return [
    [reads, dataEndpoints(parts)],
    [reads, convertEndpoints(parts)],
    ...parts.onRamp.endpoints(guard, reads),
    [guard(limits.rpc), rpc({ chains, answering })],
    // What is sent there costs whoever pays for operations: it is counted by itself.
    [guard(limits.reads), bundler({ chains })],
    [guard(limits.wallets), [walletList({ wallets }), analyticsConfig(), ...appConfig({ projects: config.projects })]],
  ]
}

/** What is no JSON: pictures. */
function serveOthers(app: FastifyInstance, parts: Parts, wallets: Wallets): void {
  const { chains, indexing, nftFacts, safeFetch, names } = parts
  nftPictures(app, { indexed: indexing.indexed, nfts: nftFacts, safeFetch })
  serveAvatars(app, { ...parts, ipfsGateway: parts.config.ipfsGateway })
  servePictures(app, createPictures({ wallets, chains }))
  names.serveGateway(app)
  parts.onRamp.serve(app)
}

/** `GET /v1`, `/v1/` and `/ws`: JSON-RPC over a websocket. */
function serveSockets(app: FastifyInstance, parts: Parts): RpcSockets {
  const { config, limits, upgrades } = parts
  const sockets = createRpcSockets({ ...parts, trustedProxies: config.trustedProxies, rate: limits.rpc })
  const paths = ['/v1', '/v1/', '/ws']
  upgrades.on(paths, sockets.upgrade)
  for (const path of paths) app.get(path, (_request, reply) => wantUpgrade(reply))
  return sockets
}

function wantUpgrade(reply: FastifyReply): never {
  reply.header('upgrade', 'websocket').header('connection', 'upgrade')
  throw new Problem(426, '', 'Ask for a websocket here, or POST.')
}

function walletsOf({ developerWalletUrl, wallets, chains }: ServerConfig): Wallets {
  return readWalletList({ developerWalletUrl, own: wallets, chains: chains.map(({ caipNetworkId }) => caipNetworkId) })
}
