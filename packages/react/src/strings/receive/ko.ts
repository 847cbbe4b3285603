import type { ReceiveTexts } from './texts.ts'

export const strings: ReceiveTexts = {
  qr: (network) => `${network}에서 쓰는 주소의 QR 코드`,
  only: (network) => `이 주소로는 ${network}의 자산만 보내세요. 다른 것은 잃어버릴 수 있습니다.`,
  share: '공유',
  works: (count) => `네트워크 ${count}개에서 사용 가능`,
  hint: '이 모든 네트워크에서 이 주소는 당신의 것입니다. 보내는 사람이 그중 하나를 고릅니다.',
  none: '주소를 보려면 지갑을 연결하세요.',
}
