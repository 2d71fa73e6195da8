import { type ComponentType, createElement, type SVGProps } from 'react';
import { SHAPES } from './shapes.ts';

export interface IconProps extends Omit<SVGProps<SVGSVGElement>, 'stroke'> {
  /** Width and height in pixels. */
  readonly size?: number;
  /** Width of the lines, on the grid of 24. */
  readonly stroke?: number;
}

interface ShapeProps extends IconProps {
  readonly shape: string;
}

function Shape({ shape, size = 24, stroke = 2, ...rest }: ShapeProps) {
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={stroke}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
      {...rest}
    >
      <path d={shape} />
    </svg>
  );
}

function icon(name: keyof typeof SHAPES): ComponentType<IconProps> {
  return (props) => createElement(Shape, { ...props, shape: SHAPES[name] });
}

export const IconActivity = icon('IconActivity');
export const IconAdjustmentsHorizontal = icon('IconAdjustmentsHorizontal');
export const IconAlertTriangle = icon('IconAlertTriangle');
export const IconArchive = icon('IconArchive');
export const IconArchiveOff = icon('IconArchiveOff');
export const IconArrowBackUp = icon('IconArrowBackUp');
export const IconArrowDown = icon('IconArrowDown');
export const IconArrowUp = icon('IconArrowUp');
export const IconBackspace = icon('IconBackspace');
export const IconBan = icon('IconBan');
export const IconBarcode = icon('IconBarcode');
export const IconBaselineDensityMedium = icon('IconBaselineDensityMedium');
export const IconBaselineDensitySmall = icon('IconBaselineDensitySmall');
export const IconBuildingStore = icon('IconBuildingStore');
export const IconBuildingWarehouse = icon('IconBuildingWarehouse');
export const IconChartLine = icon('IconChartLine');
export const IconCheck = icon('IconCheck');
export const IconChevronDown = icon('IconChevronDown');
export const IconChevronLeft = icon('IconChevronLeft');
export const IconChevronRight = icon('IconChevronRight');
export const IconCircleCheck = icon('IconCircleCheck');
export const IconClipboardCheck = icon('IconClipboardCheck');
export const IconClipboardList = icon('IconClipboardList');
export const IconCopy = icon('IconCopy');
export const IconDots = icon('IconDots');
export const IconDownload = icon('IconDownload');
export const IconError404 = icon('IconError404');
export const IconFileImport = icon('IconFileImport');
export const IconFileUnknown = icon('IconFileUnknown');
export const IconFileUpload = icon('IconFileUpload');
export const IconFilter = icon('IconFilter');
export const IconFilterOff = icon('IconFilterOff');
export const IconHistory = icon('IconHistory');
export const IconHome = icon('IconHome');
export const IconKey = icon('IconKey');
export const IconKeyboard = icon('IconKeyboard');
export const IconLanguage = icon('IconLanguage');
export const IconListSearch = icon('IconListSearch');
export const IconLock = icon('IconLock');
export const IconLogout = icon('IconLogout');
export const IconMoon = icon('IconMoon');
export const IconPaw = icon('IconPaw');
export const IconPencil = icon('IconPencil');
export const IconPlugConnectedX = icon('IconPlugConnectedX');
export const IconPlus = icon('IconPlus');
export const IconPrinter = icon('IconPrinter');
export const IconScan = icon('IconScan');
export const IconSearch = icon('IconSearch');
export const IconSearchOff = icon('IconSearchOff');
export const IconSend = icon('IconSend');
export const IconServer = icon('IconServer');
export const IconShieldCheck = icon('IconShieldCheck');
export const IconShoppingBag = icon('IconShoppingBag');
export const IconSun = icon('IconSun');
export const IconTable = icon('IconTable');
export const IconTrash = icon('IconTrash');
export const IconTruckDelivery = icon('IconTruckDelivery');
export const IconWebhook = icon('IconWebhook');
export const IconX = icon('IconX');
