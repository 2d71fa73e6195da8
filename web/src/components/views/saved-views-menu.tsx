import { Button, Checkbox, Menu, TextInput } from '@mantine/core';
import { MAX_SAVED_VIEWS, MAX_VIEW_NAME } from '@petstore-inventory/shared/limits';
import type { ViewList } from '@petstore-inventory/shared/words';
import { useEffect, useRef, useState } from 'react';
import type { SavedView } from '../../api/schemas.ts';
import { IconCheck, IconChevronDown } from '../../icons/icons.tsx';
import { useErrorText, useTexts } from '../../texts/texts-context.tsx';
import { atMost } from '../at-most.ts';
import { useOfferedCommands } from '../commands.ts';
import { chooseDensity, useDensity } from '../density.ts';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { RefusedForm } from '../dialogs/use-submit.ts';
import { useToast } from '../toast/toast-provider.tsx';
import { useListViews } from './use-list-views.ts';

interface Props {
  readonly list: ViewList;
  /** What the list shows now, as in its address. */
  readonly query: string;
  readonly onOpen: (query: string) => void;
}

/** The saved views of a list: opens, saves, replaces, renames and deletes them. */
export function SavedViewsMenu({ list, query, onOpen }: Props) {
  const { views: texts } = useTexts().app;
  const errorText = useErrorText();
  const toast = useToast();
  const density = useDensity();
  const { views, isFull, add, change, conflict, endConflict } = useListViews(list);
  /** The view that was opened last, whose filters may have been changed since. */
  const [opened, setOpened] = useState<string>();
  const [dialog, setDialog] = useState<'save' | 'rename'>();
  const current = views.find((view) => view.query === query) ?? views.find(({ name }) => name === opened);
  const open = (view: SavedView) => {
    setOpened(view.name);
    if (view.density !== null) chooseDensity(view.density);
    onOpen(view.query);
  };
  useDefault(views, query, open);
  useOfferedCommands(views.map((view) => ({ label: texts.open(view.name), run: () => open(view) })));
  const changeNow = (...parts: Parameters<typeof change>) =>
    void change(...parts).catch((error: unknown) => toast.show({ message: errorText(error), isError: true }));
  return (
    <>
      <Menu position="bottom-start" withinPortal={false} width={260}>
        <Menu.Target>
          <Button variant="default" rightSection={<IconChevronDown size={16} stroke={1.75} />}>
            {current?.name ?? texts.label}
          </Button>
        </Menu.Target>
        <Menu.Dropdown style={{ maxHeight: 400, overflowY: 'auto' }}>
          {views.length > 0 && <Menu.Label>{texts.label}</Menu.Label>}
          {views.map((view) => (
            <Menu.Item
              key={view.name}
              onClick={() => open(view)}
              rightSection={view === current && <IconCheck size={16} stroke={2} aria-hidden />}
            >
              {view.isDefault ? texts.opensWith(view.name) : view.name}
            </Menu.Item>
          ))}
          {views.length > 0 && <Menu.Divider />}
          <Menu.Item disabled={isFull} onClick={() => setDialog('save')}>
            {isFull ? texts.full(String(MAX_SAVED_VIEWS)) : texts.save}
          </Menu.Item>
          {current && (
            <>
              <Menu.Item
                onClick={() =>
                  changeNow(current, (view) => [{ ...view, query, density }], texts.replaced(current.name))
                }
              >
                {texts.replace(current.name)}
              </Menu.Item>
              <Menu.Item onClick={() => setDialog('rename')}>{texts.rename(current.name)}</Menu.Item>
              <Menu.Item onClick={() => changeNow(current, () => [], texts.removed(current.name))}>
                {texts.remove(current.name)}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {dialog && (
        <ViewDialog
          title={dialog === 'save' ? texts.save : texts.rename(current?.name ?? '')}
          view={dialog === 'rename' ? current : undefined}
          others={views.filter((view) => dialog === 'save' || view !== current).map(({ name }) => name)}
          onClose={() => setDialog(undefined)}
          onSave={async (name, isDefault) => {
            if (dialog === 'rename' && current) {
              await change(current, (view) => [{ ...view, name, isDefault }], texts.saved(name));
            } else {
              await add({ name, query, density, isDefault }, texts.saved(name));
            }
            setOpened(name);
          }}
        />
      )}
      {conflict && (
        <FormDialog
          title={texts.conflict(conflict.name)}
          action={conflict.theirs ? texts.overwrite : texts.saveAgain}
          onClose={endConflict}
          onSubmit={conflict.again}
        >
          <p>{conflict.theirs ? texts.changedElsewhere : texts.deletedElsewhere}</p>
        </FormDialog>
      )}
    </>
  );
}

/** Opens the default of a list that is opened without filters, once. */
function useDefault(views: readonly SavedView[], query: string, open: (view: SavedView) => void): void {
  const isDecided = useRef(false);
  const view = views.find(({ isDefault }) => isDefault);
  useEffect(() => {
    if (isDecided.current || (view === undefined && query === '')) return;
    isDecided.current = true;
    if (view && query === '') open(view);
  });
}

interface DialogProps {
  readonly title: string;
  /** The view that is renamed. */
  readonly view: SavedView | undefined;
  /** Names that are taken. */
  readonly others: readonly string[];
  readonly onClose: () => void;
  readonly onSave: (name: string, isDefault: boolean) => Promise<void>;
}

function ViewDialog({ title, view, others, onClose, onSave }: DialogProps) {
  const { views: texts } = useTexts().app;
  const [name, setName] = useState(view?.name ?? '');
  const [isDefault, setDefault] = useState(view?.isDefault ?? false);
  const wanted = name.trim();
  return (
    <FormDialog
      title={title}
      action={texts.saveAction}
      isReady={wanted !== ''}
      onClose={onClose}
      onSubmit={async () => {
        if (others.some((other) => other.toLowerCase() === wanted.toLowerCase()))
          throw new RefusedForm(texts.taken(wanted));
        await onSave(wanted, isDefault);
      }}
    >
      <TextInput
        label={texts.name}
        value={name}
        {...atMost(MAX_VIEW_NAME)}
        onChange={(event) => setName(event.currentTarget.value)}
        autoComplete="off"
        data-autofocus
      />
      <Checkbox
        label={texts.isDefault}
        checked={isDefault}
        onChange={(event) => setDefault(event.currentTarget.checked)}
      />
    </FormDialog>
  );
}
