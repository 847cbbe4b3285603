import type { HistoryItem, HistoryTransfer } from '@latchkey/protocol'

const ownPicturePath = /\/v1\/(?:nft|identity)\/[^?#]+\/(?:picture|avatar)$/

/** Adds the project to the URL of a picture on this server, because its endpoint admits only known projects. */
export function addProject(pictureUrl: string, projectId: string | undefined): string {
  if (projectId === undefined || !ownPicturePath.test(pictureUrl)) return pictureUrl
  return `${pictureUrl}?projectId=${encodeURIComponent(projectId)}`
}

/** Adds the project to the pictures of a history, whose pages all projects share in the cache. */
export function addProjectToItem(item: HistoryItem, projectId: string | undefined): HistoryItem {
  return { ...item, transfers: item.transfers.map((transfer) => addProjectToTransfer(transfer, projectId)) }
}

function addProjectToTransfer(transfer: HistoryTransfer, projectId: string | undefined): HistoryTransfer {
  const content = transfer.nft_info?.content
  if (transfer.nft_info === null || content === null || content === undefined) return transfer
  const add = <Picture extends { url: string }>(picture: Picture | null): Picture | null =>
    picture === null ? null : { ...picture, url: addProject(picture.url, projectId) }
  return {
    ...transfer,
    nft_info: { ...transfer.nft_info, content: { preview: add(content.preview), detail: add(content.detail) } },
  }
}
