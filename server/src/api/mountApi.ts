import type { FastifyInstance, FastifyReply } from 'fastify'
import type { ServerConfig } from '../config.ts'
import type { IndexProgress } from '../indexer/indexing.ts'
import { observeIndex } from '../indexer/observeIndex.ts'
import { mountEndpoints, type Endpoint } from '../kit/http/defineEndpoint.ts'
import { Problem } from '../kit/http/problem.ts'
import { serveApiDocs } from '../kit/http/serveApiDocs.ts'
import { watchEndpoints, type EndpointWatch } from '../kit/chain/watchEndpoints.ts'
import { createPictures } from '../wallets/pictures.ts'
import { createPictureEndpoints } from '../wallets/pictureEndpoints.ts'
import { createAnalyticsConfigEndpoint, createWalletListEndpoint } from '../wallets/walletListEndpoint.ts'
import { readWalletList } from '../wallets/walletList.ts'
import { createAppConfigEndpoints } from './appConfig/appConfigEndpoints.ts'
import { createPaymasterBudget } from './bundler/paymasterBudget.ts'
import { createSmartAccountEndpoints } from './bundler/smartAccountEndpoints.ts'
import { createConvertEndpoints } from './convert/convertEndpoints.ts'
import { dataEndpoints } from './dataEndpoints.ts'
import type { ProjectGuard } from './http/projectGuard.ts'
import { serveAvatars } from './identity/avatars.ts'
import { serveNftPictures } from './nfts/serveNftPictures.ts'
import { openApiServices, type ApiDependencies, type ApiServices } from './apiServices.ts'
import { createThirdPartyPictures } from './http/thirdPartyPictures.ts'
import { createRpcEndpoints } from './rpc/rpcEndpoints.ts'
import { createSpamReportsEndpoint } from './spamReports/spamReportsEndpoint.ts'
import { createRpcSockets, type RpcSockets } from './rpc/rpcSockets.ts'

/** The data service. */
export type Api = {
  /**
   * Starts to follow the chains.
   *
   * @param url at which browsers reach the server
   */
  begin(url: string): void
  /** Progress of the index by chain. */
  progress(): readonly IndexProgress[]
  /** The state of the history store; `undefined` if it is part of the database. */
  historyState(): 'reachable' | 'unreachable' | undefined
  close(): Promise<void>
}

/** Mounts the data service and the wallet list. */
export async function mountApi(app: FastifyInstance, config: ServerConfig, given: ApiDependencies): Promise<Api> {
  const services = await openApiServices(config, given, app.log)
  observeIndex(given.metrics, services.indexing)
  const wallets = walletsOf(config)
  const endpoints = guardedEndpoints(services, wallets)
  await serveApiDocs(
    app,
    endpoints.flatMap(([, each]) => each),
  )
  for (const [admit, each] of endpoints) mountEndpoints(app, each, admit)
  serveOthers(app, services)
  const sockets = serveSockets(app, services)

  const { indexing, history, safeFetch, place } = services
  let watch: EndpointWatch | undefined
  return {
    begin(url) {
      if (place.pictures === '') place.pictures = url
      watch = watchEndpoints(services)
      // Indexing starts after the endpoints were checked, because data of a wrong node would stay in the index.
      void watch.firstCheck.then(indexing.begin)
      services.onRamp.begin()
    },
    progress: indexing.progress,
    historyState: history.state,
    async close() {
      sockets.close()
      services.shedder.stop()
      services.streams.close()
      watch?.stop()
      await indexing.close()
      await history.close()
      await safeFetch.close()
    },
  }
}

type Wallets = ReturnType<typeof readWalletList>

/** All endpoints, grouped by guard. */
function guardedEndpoints(
  services: ApiServices,
  wallets: Wallets,
): readonly (readonly [ProjectGuard, readonly Endpoint[]])[] {
  const { chains, responder, guard, limits, config, shedder } = services
  const budget = createPaymasterBudget(services)
  const reads = guard('reads', limits.reads, { shedder })
  return [
    [reads, dataEndpoints(services)],
    [reads, createConvertEndpoints(services)],
    ...services.onRamp.endpoints(guard, reads),
    [guard('rpc', limits.rpc), createRpcEndpoints({ chains, responder })],
    [
      guard('spam-reports', limits.spamReports),
      [
        createSpamReportsEndpoint({
          ...services,
          indexed: services.indexing.indexed,
          reports: services.spamReports,
          trustedProxies: config.trustedProxies,
        }),
      ],
    ],
    // User operations cost the paymaster money, so they have their own limit.
    [guard('smart-accounts', limits.reads), createSmartAccountEndpoints({ chains, budget })],
    [
      guard('wallets', limits.wallets),
      [
        createWalletListEndpoint({ wallets }),
        ...createPictureEndpoints(createPictures({ wallets, chains, icons: services.icons }), exampleImageId(wallets)),
        createAnalyticsConfigEndpoint(),
        ...createAppConfigEndpoints(services),
      ],
    ],
  ]
}

/** Serves pictures. */
function serveOthers(app: FastifyInstance, services: ApiServices): void {
  const { indexing, nftFacts, names } = services
  const pictures = createThirdPartyPictures(services)
  const guard = services.guard('pictures', services.limits.pictures)
  serveNftPictures(app, { indexed: indexing.indexed, nfts: nftFacts, pictures, guard })
  serveAvatars(app, { ...services, ipfsGateway: services.config.ipfsGateway, pictures, guard })
  names.serveGateway(app)
  services.onRamp.serve(app)
}

/** `GET /v1`, `/v1/` and `/ws`: JSON-RPC over a websocket. */
function serveSockets(app: FastifyInstance, services: ApiServices): RpcSockets {
  const { config, limits, upgrades } = services
  const sockets = createRpcSockets({ ...services, trustedProxies: config.trustedProxies, rate: limits.rpc })
  const paths = ['/v1', '/v1/', '/ws']
  upgrades.handle(paths, sockets.upgrade)
  for (const path of paths) app.get(path, (_request, reply) => throwUpgradeRequired(reply))
  return sockets
}

function throwUpgradeRequired(reply: FastifyReply): never {
  reply.header('upgrade', 'websocket').header('connection', 'upgrade')
  throw new Problem(426, '', 'Open a websocket at this path, or send a POST request.')
}

function exampleImageId(wallets: Wallets): string {
  return wallets.find({ page: 1, entries: 1 }).data[0]?.image_id ?? ''
}

function walletsOf({ developerWalletUrl, wallets, chains }: ServerConfig): Wallets {
  return readWalletList({
    developerWalletUrl,
    operatorWallets: wallets,
    chains: chains.map(({ caipNetworkId }) => caipNetworkId),
  })
}
