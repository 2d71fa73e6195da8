import {
  Button,
  CloseButton,
  type CSSVariablesResolver,
  createTheme,
  Drawer,
  Kbd,
  type MantineColorsTuple,
  Menu,
  Modal,
  Popover,
  SegmentedControl,
  Select,
  Tooltip,
} from '@mantine/core';

const pine: MantineColorsTuple = [
  '#e4f2ee',
  '#cfe7e0',
  '#a9d3c8',
  '#7dbfae',
  '#57ac98',
  '#2f9682',
  '#1a7f6c',
  '#0f6b5c',
  '#0b5548',
  '#083f36',
];

const MOTION_MS = 120;
const overlayProps = { backgroundOpacity: 0.3 };
const transitionProps = { duration: MOTION_MS };
/** The header of a dialog is not a banner of the page. */
const HEADER_WITHOUT_ROLE = { header: { role: 'none' } };

/** The look of all components. `closeLabel` names buttons that have only an icon. */
export const makeTheme = (closeLabel: string) =>
  createTheme({
    primaryColor: 'pine',
    primaryShade: { light: 7, dark: 6 },
    colors: { pine },
    fontFamily: "'Inter Variable', system-ui, sans-serif",
    fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
    lineHeights: { xs: '16px', sm: '20px', md: '20px', lg: '24px', xl: '28px' },
    headings: {
      fontWeight: '600',
      sizes: {
        h1: { fontSize: '20px', lineHeight: '28px' },
        h2: { fontSize: '16px', lineHeight: '24px' },
        h3: { fontSize: '14px', lineHeight: '20px' },
      },
    },
    defaultRadius: 6,
    cursorType: 'pointer',
    respectReducedMotion: true,
    components: {
      Button: Button.extend({ defaultProps: { size: 'sm' }, styles: { label: { fontWeight: 550 } } }),
      CloseButton: CloseButton.extend({
        defaultProps: { attributes: { root: { 'aria-label': closeLabel } } },
      }),
      Drawer: Drawer.extend({
        defaultProps: {
          position: 'right',
          size: 480,
          transitionProps,
          overlayProps,
          attributes: HEADER_WITHOUT_ROLE,
        },
      }),
      Modal: Modal.extend({
        defaultProps: {
          centered: true,
          // Without a transform, whose box would cut a list of choices at the lower edge of the dialog.
          transitionProps: { ...transitionProps, transition: 'fade' },
          overlayProps,
          radius: 10,
          attributes: HEADER_WITHOUT_ROLE,
        },
      }),
      Menu: Menu.extend({
        defaultProps: { transitionProps, shadow: 'none', withInitialFocusPlaceholder: false },
      }),
      Popover: Popover.extend({ defaultProps: { transitionProps, shadow: 'none' } }),
      Select: Select.extend({
        // A list outside of its dialog would be outside of all landmarks.
        defaultProps: {
          // Fixed: the lower edge of a dialog would cut a list.
          comboboxProps: { withinPortal: false, floatingStrategy: 'fixed' },
          allowDeselect: false,
          size: 'sm',
        },
      }),
      Tooltip: Tooltip.extend({
        defaultProps: {
          // Beside its control it is in the same landmark, and "fixed" keeps it whole where a list scrolls.
          withinPortal: false,
          floatingStrategy: 'fixed',
          openDelay: 400,
          transitionProps,
          fz: 'xs',
        },
      }),
      SegmentedControl: SegmentedControl.extend({ defaultProps: { size: 'xs' } }),
      Kbd: Kbd.extend({ defaultProps: { size: 'xs' } }),
    },
  });

/** Mantine's own variables follow the tokens, so that both have one look. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {
    '--mantine-color-body': 'var(--canvas)',
    '--mantine-color-text': 'var(--text)',
    '--mantine-color-dimmed': 'var(--text-dim)',
    '--mantine-color-placeholder': 'var(--text-faint)',
    '--mantine-color-default': 'var(--raised)',
    '--mantine-color-default-hover': 'var(--hover)',
    '--mantine-color-default-border': 'var(--line-strong)',
    '--mantine-color-error': 'var(--danger)',
    '--mantine-color-anchor': 'var(--accent)',
  },
  light: {},
  dark: {},
});
