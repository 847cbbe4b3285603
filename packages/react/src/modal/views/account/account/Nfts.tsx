import { shortenAddress } from '@latchkey/core'
import { hiddenAssets, isHiddenAsset, setHiddenAsset } from '@latchkey/core/money'
import { holdingsMessages } from '@latchkey/modal/messages'
import type { HeldNft } from '@latchkey/protocol'
import { useState, type ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useNfts } from '../../../../hooks/useNfts.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useStore } from '../../../../useStore.ts'
import { ReportSpam } from '../../../money/ReportSpam.tsx'
import { Icon } from '../../../parts/index.tsx'
import { EmptyList, LoadFailed } from './EmptyList.tsx'
import { More } from './More.tsx'

/** The NFTs of the account, grouped by collection. Spam and those that the user hid are shown on demand only. */
export function Nfts(): ReactElement {
  const t = useFlowMessages(holdingsMessages)
  const pages = useNfts()
  const hiddenIds = useStore(hiddenAssets(useLatchkey()))
  const [showsHidden, setShowsHidden] = useState(false)
  if (pages.status === 'error') return <LoadFailed title={t.nftsFailed} retry={pages.retry} />
  if (pages.status === 'pending') {
    return (
      <>
        <p role="status" className="hidden">
          {t.nftsLoading}
        </p>
        <ul className="nfts">
          <SkeletonNfts />
        </ul>
      </>
    )
  }
  const isHidden = ({ id, isSpam }: HeldNft): boolean => isSpam || isHiddenAsset(hiddenIds, id)
  const hidden = pages.data.filter(isHidden)
  const welcome = pages.data.filter((nft) => !isHidden(nft))
  return (
    <>
      {collectionsOf(welcome).map((collection) => (
        <Collection key={collection.contract} {...collection} />
      ))}
      {welcome.length === 0 && !pages.hasMore && <EmptyList text={t.noNfts} />}
      {showsHidden && hidden.length > 0 && (
        <>
          <p className="hint">{t.hiddenHint}</p>
          {collectionsOf(hidden).map((collection) => (
            <Collection key={collection.contract} {...collection} />
          ))}
        </>
      )}
      <More pages={pages} />
      {hidden.length > 0 && (
        <button
          type="button"
          className="button"
          data-quiet=""
          aria-expanded={showsHidden}
          onClick={() => setShowsHidden(!showsHidden)}
        >
          {showsHidden ? t.hide : t.showHidden({ count: hidden.length })}
        </button>
      )}
    </>
  )
}

type CollectionProps = { contract: string; name: string; nfts: readonly HeldNft[] }

/** Groups NFTs by contract, in order of first appearance. */
function collectionsOf(nfts: readonly HeldNft[]): readonly CollectionProps[] {
  const contracts = [...new Set(nfts.map(({ contract }) => contract))]
  return contracts.map((contract) => {
    const own = nfts.filter((nft) => nft.contract === contract)
    return { contract, name: own[0]?.collection.name ?? shortenAddress(contract), nfts: own }
  })
}

function Collection({ contract, name, nfts }: CollectionProps): ReactElement {
  const id = `collection-${contract}`
  return (
    <section className="group" aria-labelledby={id}>
      <h2 id={id}>{name}</h2>
      <ul className="nfts">
        {nfts.map((nft) => (
          <Nft key={nft.id} nft={nft} />
        ))}
      </ul>
    </section>
  )
}

function Nft({ nft }: { nft: HeldNft }): ReactElement {
  const { name, picture, quantity, tokenId } = nft
  const t = useFlowMessages(holdingsMessages)
  const isHidden = isHiddenAsset(useStore(hiddenAssets(useLatchkey())), nft.id)
  const [refused, setRefused] = useState<string>()
  const called =
    name ?? t.nftNumber({ id: tokenId.length > 12 ? `${tokenId.slice(0, 4)}…${tokenId.slice(-4)}` : tokenId })
  const [letter = '?'] = called.trim()
  return (
    <li className="nft" part="nft">
      <span className="nft-picture">
        {picture === null || picture.url === refused ? (
          <span aria-hidden="true">{letter.toUpperCase()}</span>
        ) : (
          <img
            src={picture.url}
            alt=""
            width={152}
            height={152}
            loading="lazy"
            decoding="async"
            draggable={false}
            onError={() => setRefused(picture.url)}
          />
        )}
        {quantity !== '1' && (
          <span className="tag figures">
            <bdi dir="ltr">{`×${quantity}`}</bdi>
          </span>
        )}
      </span>
      {!nft.isSpam && <HideButton id={nft.id} name={called} />}
      <span className="name">{called}</span>
      {isHidden && !nft.isSpam && <ReportSpam id={`${nft.chainId}:${nft.contract}`} name={called} />}
    </li>
  )
}

/** Hides an NFT in this browser, or shows it again. */
function HideButton({ id, name }: { id: string; name: string }): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(holdingsMessages)
  const isHidden = isHiddenAsset(useStore(hiddenAssets(latchkey)), id)
  return (
    <button
      type="button"
      className="icon-button nft-hide"
      aria-label={isHidden ? t.showOf({ name }) : t.hideOf({ name })}
      onClick={() => setHiddenAsset(latchkey, id, !isHidden)}
    >
      <Icon name={isHidden ? 'plus' : 'close'} size={16} />
    </button>
  )
}

function SkeletonNfts(): ReactElement[] {
  return Array.from({ length: 4 }, (_, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- nothing tells skeletons apart
    <li key={`skeleton ${index}`} className="nft" aria-hidden="true">
      <span className="skeleton nft-picture" />
      <span className="skeleton" />
    </li>
  ))
}
